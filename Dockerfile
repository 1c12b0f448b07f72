# The service as a container; docs/guides/run-in-production.md tells how to run it.
# The base image is pinned by digest, so that every build has the same one. To renew it: docker pull node:24-slim, then
# docker inspect --format '{{index .RepoDigests 0}}' node:24-slim prints the digest for both FROM lines.

FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS build
WORKDIR /app
# Where no prebuilt sqlite3 fits, it is compiled.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
# Without the scripts of other packages, which are for tests.
RUN npm ci --ignore-scripts --no-audit --no-fund && npm rebuild sqlite3
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df
WORKDIR /app
RUN install -d -m 0700 -o node -g node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN ln -s /app/dist/cli/affiliate.js /usr/local/bin/affiliate
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=8080
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "-e", "const { PORT, TLS_CERT } = process.env; require(TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: PORT, path: '/healthz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "dist/cli/affiliate.js"]
CMD ["serve"]
