// The curve of a fit as a table and as a picture.
#include <algorithm>
#include <cstdio>

#include "tools/train/trainer.hpp"

namespace yomi::train {
namespace {

template <class... Arguments>
std::string text(const char* format, Arguments... arguments) {
    char line[512];
    std::snprintf(line, sizeof line, format, arguments...);
    return line;
}

}  // namespace

std::string to_csv(const std::vector<Epoch>& curve) {
    std::string csv = "phase,epoch,samples,rate,train_loss,held_out_loss\n";
    for (const Epoch& e : curve) {
        csv += text("%s,%d,%llu,%.6g,%.6f,%.6f\n",
                    e.phase.c_str(),
                    e.number,
                    static_cast<unsigned long long>(e.samples),
                    e.rate,
                    e.train_loss,
                    e.held_out_loss);
    }
    return csv;
}

std::string to_svg(const std::vector<Epoch>& curve, const std::string& title) {
    constexpr double kWidth = 720;
    constexpr double kHeight = 400;
    constexpr double kLeft = 70;
    constexpr double kTop = 40;
    constexpr double kRight = kWidth - 20;
    constexpr double kBottom = kHeight - 40;
    double low = 1;
    double high = 0;
    for (const Epoch& e : curve) {
        for (const double loss : {e.number > 0 ? e.train_loss : e.held_out_loss, e.held_out_loss}) {
            low = std::min(low, loss);
            high = std::max(high, loss);
        }
    }
    if (high <= low) high = low + 1e-6;
    const auto last = static_cast<double>(std::max<std::size_t>(curve.size(), 2) - 1);
    const auto x = [&](std::size_t i) {
        return kLeft + (kRight - kLeft) * static_cast<double>(i) / last;
    };
    const auto y = [&](double loss) {
        return kBottom - (kBottom - kTop) * (loss - low) / (high - low);
    };
    std::string svg = text(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        kWidth,
        kHeight);
    svg += "<text x=\"70\" y=\"22\" font-size=\"14\">" + title + "</text>\n";
    for (int i = 0; i <= 4; ++i) {
        const double loss = low + (high - low) * i / 4;
        svg += text(
            "<path d=\"M%.0f %.1fH%.0f\" stroke=\"#ddd\"/><text x=\"%.0f\" y=\"%.1f\" "
            "text-anchor=\"end\">%.5f</text>\n",
            kLeft,
            y(loss),
            kRight,
            kLeft - 6,
            y(loss) + 4,
            loss);
    }
    const auto line = [&](bool held_out, const char* colour) {
        std::string points;
        for (std::size_t i = 0; i < curve.size(); ++i) {
            const Epoch& e = curve[i];
            if (!held_out && e.number == 0) continue;  // nothing was learned yet
            points += text("%.1f,%.1f ", x(i), y(held_out ? e.held_out_loss : e.train_loss));
        }
        return "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + std::string(colour) +
               "\" points=\"" + points + "\"/>\n";
    };
    svg += line(false, "#1f77b4") + line(true, "#d62728");
    svg +=
        "<text x=\"500\" y=\"60\" fill=\"#1f77b4\">train</text>\n"
        "<text x=\"560\" y=\"60\" fill=\"#d62728\">held-out games</text>\n";
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (curve.size() > 24 && i % ((curve.size() + 23) / 24) != 0) continue;
        svg += text("<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%d</text>\n",
                    x(i),
                    kBottom + 18,
                    curve[i].number);
    }
    return svg + "<text x=\"380\" y=\"394\" text-anchor=\"middle\">epoch</text>\n</svg>\n";
}

}  // namespace yomi::train
