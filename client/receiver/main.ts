#!/usr/bin/env node
// The process entry of the callback receiver.
import { readFileSync } from 'node:fs';
import { CUT_MESSAGE } from '../../shared/http/bound-connections.ts';
import { takeSecretsFromFiles } from '../../shared/settings/secret-files.ts';
import { traceFields } from '../../shared/telemetry/spans.ts';
import { startMetrics, startTelemetry } from '../../shared/telemetry/telemetry.ts';
import { programLog } from '../../shared/terminal/program-log.ts';
import { shutdownSignal } from '../../shared/terminal/shutdown-signal.ts';
import { processTerminal } from '../../shared/terminal/terminal.ts';
import { connectTemporal } from '../connect.ts';
import { ReceivedLog } from './received-log.ts';
import { startReceiver } from './server.ts';
import { readReceiverSettings } from './settings.ts';

try {
  takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
  const settings = readReceiverSettings(process.env);
  const { log, written } = programLog('receiver', settings.logLevel, traceFields);
  const telemetry = await startTelemetry('receiver', process.env);
  const metrics = await startMetrics('CALLBACK_METRICS_ADDRESS', settings.metricsAddress);
  const { client } = await connectTemporal();
  const receivedLog = new ReceivedLog(log);
  const receiver = await startReceiver(client, {
    ...settings,
    onReceived: (received) => receivedLog.write(received),
    onCut: (cut) => log.warn(cut, CUT_MESSAGE),
    onError: (error) =>
      log.error({ err: error }, 'the receiver failed on a request: a defect; the sender sends it again'),
  });
  log.info({ url: receiver.url, metrics: settings.metricsAddress ?? null }, 'receiver started');
  await shutdownSignal();
  await receiver.close();
  receivedLog.close();
  await telemetry.stop();
  await metrics.stop();
  log.info('receiver stopped');
  await written();
  // A callback that Temporal has not taken was not acknowledged; the client may continue to try for 18 s.
  process.exit();
} catch (error) {
  processTerminal('lockerflow-receiver').complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
