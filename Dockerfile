# The service in an image without a shell, for a user without rights. What it writes is below /data, so that the rest can be
# read-only: docker run --read-only -v linkgraph:/data -p 8080:8080 -e LINKGRAPH_BASE_URL=https://go.example.net linkgraph

# Debian 12, as the image below: the binary needs no newer glibc than it finds there.
FROM rust:1.95.0-slim-bookworm AS build
# ring and the bundled SQLite are C; the image's gcc is all that they need.
WORKDIR /build

# The dependencies by themselves: a layer that is kept until they change.
COPY Cargo.toml Cargo.lock ./
COPY entity/Cargo.toml entity/
COPY migration/Cargo.toml migration/
COPY click_sources click_sources
COPY country_table country_table
COPY link_files link_files
COPY link_rules link_rules
COPY pictures pictures
COPY precompiled precompiled
# A member of the workspace: Cargo wants its manifest, though tests alone use it.
COPY tests/each_database tests/each_database
RUN mkdir -p src entity/src migration/src \
    && echo 'fn main() {}' >src/main.rs \
    && touch src/lib.rs entity/src/lib.rs migration/src/lib.rs \
    && cargo build --profile dist --locked --bin linkgraph

COPY entity/src entity/src
COPY migration/src migration/src
COPY graphiql/dist graphiql/dist
COPY app/dist app/dist
COPY src src
# The copies are older than what was built of the placeholders, which Cargo would take for built.
RUN touch src/main.rs src/lib.rs entity/src/lib.rs migration/src/lib.rs \
    && cargo build --profile dist --locked --bin linkgraph \
    && mkdir -p /image/data /image/usr/local/bin \
    && cp target/dist/linkgraph /image/usr/local/bin/

# glibc, libgcc, CA certificates, time zones. Distroless has no finer tags than these; pin a digest for builds that repeat.
FROM gcr.io/distroless/cc-debian12:nonroot
# The user nonroot. A new volume takes over the owner of /data.
COPY --from=build --chown=65532:65532 /image/data /data
COPY --from=build /image/usr/local/bin/linkgraph /usr/local/bin/linkgraph
COPY LICENSE THIRD-PARTY.md graphiql/dist/LICENSES.txt /usr/share/doc/linkgraph/
COPY app/dist/LICENSES.txt /usr/share/doc/linkgraph/APP-LICENSES.txt
USER 65532:65532
WORKDIR /data
ENV LINKGRAPH_BIND=0.0.0.0:8080 LINKGRAPH_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/usr/local/bin/linkgraph", "health"]
ENTRYPOINT ["/usr/local/bin/linkgraph"]
