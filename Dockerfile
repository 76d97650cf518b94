# Yomi as an image: two stages, the second holds the program and its libraries only.
# docker build -t yomi . && docker run --rm -p 8080:8080 yomi
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY tools/packages tools/packages
RUN tools/packages build
COPY . .
# x86-64-v3 (AVX2, BMI2) by default; `--build-arg ARCH=portable` for older or other CPUs.
ARG ARCH=default
RUN if [ "$ARCH" = default ]; then cmake --preset release -DBUILD_TESTING=OFF; \
    else cmake --preset release -DBUILD_TESTING=OFF -DYOMI_ARCH="$ARCH"; fi \
 && cmake --build --preset release --target yomi \
 && strip build/release/bin/yomi

FROM ${BASE}
COPY tools/packages /tmp/packages
RUN /tmp/packages runtime \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /tmp/packages \
 && useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin --uid 10001 yomi
COPY --from=build /src/build/release/bin/yomi /usr/local/bin/yomi
COPY config/yomi.image.toml /etc/yomi/yomi.toml
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s --retries=3 CMD ["/usr/local/bin/yomi", "probe"]
ENTRYPOINT ["/usr/local/bin/yomi"]
CMD ["serve", "--config", "/etc/yomi/yomi.toml"]
