#pragma once

#include <optional>

#include "core/base/result.hpp"
#include "server/net/http_request.hpp"
#include "server/service/method.hpp"

namespace yomi::net {

/// The refusal of a body with a Content-Encoding: nothing is unpacked here, so no small body can
/// become a large one.
std::optional<Error> coding_fault(const HttpRequest& request);

/// What a request says to a method, taken apart only as far as HTTP goes.
///
/// The query's and a form's values are percent-decoded and keep '+' as it came: in a position '+'
/// marks a promoted piece, and only the decoder of the field knows whether a space is meant. A form
/// body that starts with '{' is JSON: it is what `curl -d '{...}'` sends. Without a Content-Type
/// the first character decides between JSON and text. A JSON body and a query may come together;
/// the decoder decides which fields may. Errors  bad_request: percent-encoding.
/// unsupported_media_type: another type, a charset of JSON other than UTF-8,
///         a coded body (Content-Encoding), or text for a method that reads no records.
Result<service::Payload> make_payload(const HttpRequest& request, bool accepts_record);

}  // namespace yomi::net
