// Certificates for a test, made when it runs and gone with its folder: an authority, a server of 127.0.0.1 that is also
// called temporal.test, a client.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Paths of files. */
export interface Certificates {
  readonly authority: string;
  readonly server: Certificate;
  readonly client: Certificate;
}

export async function makeCertificates(folder: string): Promise<Certificates> {
  const authority = await make(folder, 'authority', []);
  const signed = ['-CA', authority.certificate, '-CAkey', authority.key];
  const ofAuthority = [...signed, '-addext', 'basicConstraints=critical,CA:false'];
  return {
    authority: authority.certificate,
    server: await make(folder, 'server', [
      ...ofAuthority,
      '-addext',
      'subjectAltName=IP:127.0.0.1,DNS:temporal.test',
    ]),
    client: await make(folder, 'lockerflow', ofAuthority),
  };
}

async function make(folder: string, name: string, options: readonly string[]): Promise<Certificate> {
  const certificate = join(folder, `${name}.pem`);
  const key = join(folder, `${name}-key.pem`);
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  const subject = ['-subj', `/CN=${name}`, '-days', '2', '-out', certificate];
  await run('openssl', ['req', '-x509', ...newKey, ...subject, ...options]);
  return { certificate, key };
}
