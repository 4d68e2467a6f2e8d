// A certificate for names below localhost, which the browsers of these suites are configured to trust.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/process.ts'

export interface Certificate {
  /** PEM. */
  readonly cert: string
  readonly key: string
  /** SHA-256, hexadecimal with colons. */
  readonly fingerprint: string
}

/** Makes a self-signed certificate with openssl(1). @param names all host names. */
export async function makeCertificate(folder: string, names: readonly string[]): Promise<Certificate> {
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const alternatives = names.map((name) => `DNS:${name}`).join()
  const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
  const made = await run('openssl', [
    'req',
    ...options.split(' '),
    '-addext',
    `subjectAltName=${alternatives}`,
    '-keyout',
    key,
    '-out',
    cert,
  ])
  if (!made.ok) throw new Error(`openssl made no certificate\n${made.output}`)
  const pem = readFileSync(cert, 'utf8')
  return { cert: pem, key: readFileSync(key, 'utf8'), fingerprint: new X509Certificate(pem).fingerprint256 }
}
