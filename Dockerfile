# One image for all processes: service, receiver, worker and command line; the command says which.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Temporal's SDK brings its native part for every platform, 140 MB; one is enough.
RUN npm ci --omit=dev && \
    find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-*-linux-*" \
      -exec rm -r {} +
COPY contract ./contract
COPY shared ./shared
COPY engine ./engine
COPY flows ./flows
COPY workflows ./workflows
COPY activities ./activities
COPY worker ./worker
RUN node worker/build.ts

# The console's page: what builds it stays out of the image.
FROM node:24-slim AS page
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tsconfig.json ./
RUN npm ci --ignore-scripts
COPY shared ./shared
COPY flows ./flows
COPY processes ./processes
COPY console ./console
RUN node console/build-page.ts

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app ./
COPY cli ./cli
COPY client ./client
COPY processes ./processes
COPY service ./service
COPY --from=page /app/console ./console
ENV WORKER_WORKFLOW_BUNDLE=/app/dist/workflow-bundle.js
USER node
CMD ["node", "service/main.ts"]
