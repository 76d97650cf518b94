#include "server/net/request_parser.hpp"

#include <algorithm>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace yomi::net {
namespace {

namespace http = boost::beast::http;

/// What chunk framing may cost: five bytes around each byte at worst (`1\r\nx\r\n`), and a little
/// for names of extensions and trailers, which nobody here reads.
constexpr std::size_t kFramingPerByte = 5;
constexpr std::size_t kFramingSlack = 8192;

constexpr int kMaxEmptyLines = 4;

Error describe(const boost::system::error_code& ec, const HeadLimits& limits) {
    if (ec == http::error::header_limit) {
        return Error{.code = ErrorCode::headers_too_large,
                     .message = "the request head is larger than " +
                                std::to_string(limits.max_line + limits.max_bytes) + " bytes"};
    }
    if (ec == http::error::body_limit || ec == http::error::buffer_overflow) {
        return Error{.code = ErrorCode::payload_too_large,
                     .message = "the body is larger than this method allows"};
    }
    if (ec == http::error::bad_version) {
        return Error{.code = ErrorCode::bad_request,
                     .message = "only HTTP/1.0 and HTTP/1.1 are spoken here"};
    }
    return Error{.code = ErrorCode::bad_request,
                 .message = "this is not well-formed HTTP/1.1: " + ec.message(),
                 .hint = "this port speaks plain HTTP"};
}

}  // namespace

struct RequestParser::Impl {
    explicit Impl(const HeadLimits& head_limits) : limits(head_limits) {
        parser.emplace();
        parser->header_limit(static_cast<std::uint32_t>(limits.max_line + limits.max_bytes + 4));
        parser->body_limit(boost::none);  // `accept_body` decides once the method is known
        parser->eager(false);
    }

    HeadLimits limits;
    std::optional<http::request_parser<http::string_body>> parser;
    HttpRequest request;
    Error error;
    bool started = false;
    bool head_done = false;
    int empty_lines = 0;         ///< in front of the request
    std::size_t body_bytes = 0;  ///< bytes of the body part as they came, framing included

    State fail_with(Error fault) {
        error = std::move(fault);
        return State::failed;
    }

    /// The caps that Beast counts loosely, on the bytes as they came.
    std::optional<Error> size_fault(const std::string& bytes) const {
        const auto line_end = bytes.find("\r\n");
        if (std::min(line_end, bytes.size()) > limits.max_line) {
            return Error{.code = ErrorCode::headers_too_large,
                         .message = "the request line is longer than " +
                                    std::to_string(limits.max_line) + " bytes",
                         .hint = "send a long position in the body of a POST"};
        }
        if (line_end == std::string::npos) return std::nullopt;
        const auto head_end = bytes.find("\r\n\r\n", line_end);
        if (std::min(head_end, bytes.size()) - line_end > limits.max_bytes + 2) {
            return Error{.code = ErrorCode::headers_too_large,
                         .message = "the header fields are larger than " +
                                    std::to_string(limits.max_bytes) + " bytes"};
        }
        return std::nullopt;
    }

    void take_head() {
        const auto& message = parser->get();
        request.verb = std::string(message.method_string());
        request.target = std::string(message.target());
        request.version = static_cast<int>(message.version());
        request.keep_alive = message.keep_alive();
        for (const auto& field : message) {
            request.fields.emplace_back(std::string(field.name_string()),
                                        std::string(field.value()));
        }
    }
};

RequestParser::RequestParser(const HeadLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestParser::~RequestParser() = default;

RequestParser::State RequestParser::feed(std::string& bytes) {
    Impl& impl = *impl_;
    auto& parser = *impl.parser;
    if (!impl.started) {
        // RFC 9112, 2.2: an empty line in front of a request is ignored. Not more than a few of
        // them.
        std::size_t skip = 0;
        while (impl.empty_lines < kMaxEmptyLines && bytes.compare(skip, 2, "\r\n") == 0) {
            skip += 2;
            ++impl.empty_lines;
        }
        bytes.erase(0, skip);
        if (bytes == "\r") return State::need_more;  // perhaps half of another one
    }
    while (!parser.is_done()) {
        if (bytes.empty()) return State::need_more;
        impl.started = true;
        if (!impl.head_done) {
            if (auto fault = impl.size_fault(bytes)) return impl.fail_with(*std::move(fault));
        }
        boost::system::error_code ec;
        const std::size_t taken = parser.put(boost::asio::buffer(bytes), ec);
        bytes.erase(0, taken);
        if (ec && ec != http::error::need_more) return impl.fail_with(describe(ec, impl.limits));
        if (!impl.head_done && parser.is_header_done()) {
            impl.head_done = true;
            impl.take_head();
            if (auto fault = head_fault(impl.request, impl.limits.max_fields)) {
                return impl.fail_with(*std::move(fault));
            }
            if (auto split = split_target(impl.request); !split) {
                return impl.fail_with(std::move(split.error()));
            }
            return State::head;
        }
        if (impl.head_done) {
            impl.body_bytes += taken;
            const std::size_t payload = parser.get().body().size();
            if (impl.body_bytes + bytes.size() >
                    payload + payload * kFramingPerByte + kFramingSlack &&
                parser.chunked() && !parser.is_done()) {
                return impl.fail_with(Error{
                    .code = ErrorCode::bad_request,
                    .message = "chunk extensions or trailers are larger than the body deserves"});
            }
        }
        if (ec == http::error::need_more) return State::need_more;
    }
    impl.request.body = std::move(parser.get().body());
    return State::done;
}

Result<void> RequestParser::accept_body(std::size_t max_bytes) {
    auto& parser = *impl_->parser;
    const auto announced = parser.content_length();
    if (announced && *announced > max_bytes) {
        return fail(Error{.code = ErrorCode::payload_too_large,
                          .message = "the body of " + std::to_string(*announced) +
                                     " bytes is larger than the " + std::to_string(max_bytes) +
                                     " that this method allows"});
    }
    parser.body_limit(max_bytes);
    parser.eager(true);
    return {};
}

bool RequestParser::started() const noexcept {
    return impl_->started;
}
HttpRequest& RequestParser::request() noexcept {
    return impl_->request;
}
const Error& RequestParser::error() const noexcept {
    return impl_->error;
}

}  // namespace yomi::net
