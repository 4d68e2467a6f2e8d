// A certificate authority for one run, made with openssl: two clients out of three require HTTPS.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/process.ts'

export interface Certificate {
  readonly certFile: string
  readonly keyFile: string
}

export interface Authority {
  readonly certFile: string
  /** Issues a certificate for `host`. */
  readonly issue: (host: string) => Promise<Certificate>
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const VALID_DAYS = '2'

export async function createAuthority(folder: string): Promise<Authority> {
  const root = await make(folder, 'authority', ['basicConstraints = critical, CA:TRUE'], [])
  return {
    certFile: root.certFile,
    issue: (host) =>
      make(
        folder,
        host,
        [
          'basicConstraints = critical, CA:FALSE',
          'extendedKeyUsage = serverAuth',
          `subjectAltName = DNS:${host}`,
        ],
        ['-CA', root.certFile, '-CAkey', root.keyFile],
      ),
  }
}

async function make(
  folder: string,
  name: string,
  extensions: readonly string[],
  signer: readonly string[],
): Promise<Certificate> {
  const file = (suffix: string): string => join(folder, `${name}.${suffix}`)
  const settings = ['[req]', 'prompt = no', 'distinguished_name = subject', 'x509_extensions = extensions']
  const sections = ['[subject]', `CN = ${name}`, '[extensions]', ...extensions]
  writeFileSync(file('conf'), [...settings, ...sections, ''].join('\n'))
  const output = ['-keyout', file('key'), '-out', file('crt')]
  const args = ['req', '-x509', '-days', VALID_DAYS, '-config', file('conf'), ...KEY, ...signer, ...output]
  const finished = await run('openssl', args)
  if (!finished.ok) throw new Error(`openssl ${args.join(' ')}\n${finished.output}`)
  return { certFile: file('crt'), keyFile: file('key') }
}
