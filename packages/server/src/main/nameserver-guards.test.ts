import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '@zonereeve/config'
import { FIRST, SECOND } from '@zonereeve/nameserver/certificate.cases.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { encryptedEndpoints } from './nameserver-guards.ts'

const CASES: readonly {
  readonly name: string
  /** Contents of the files; null = there is no such file. */
  readonly cert: string | null
  readonly key: string | null
  /** Expected error, with F for the folder of the files; undefined = the files are accepted. */
  readonly said: RegExp | undefined
}[] = [
  { name: 'a certificate and its key', cert: FIRST.cert, key: FIRST.key, said: undefined },
  {
    name: 'no certificate',
    cert: null,
    key: FIRST.key,
    said: /^tls-certificate "F\/cert\.pem": no such file or folder$/,
  },
  { name: 'no key', cert: FIRST.cert, key: null, said: /^tls-key "F\/key\.pem": no such file or folder$/ },
  {
    name: 'another file instead of the certificate',
    cert: 'once',
    key: FIRST.key,
    said: /^tls-certificate "F\/cert\.pem": must hold a certificate \(PEM\)$/,
  },
  {
    name: 'the certificate instead of its key',
    cert: FIRST.cert,
    key: FIRST.cert,
    said: /^tls-key "F\/key\.pem": must hold a private key without passphrase \(PEM\)$/,
  },
  {
    name: 'the key of another certificate',
    cert: FIRST.cert,
    key: SECOND.key,
    said: /^tls-key "F\/key\.pem": is not the key of the certificate "F\/cert\.pem"$/,
  },
]

test.each(CASES)('encrypted transports with $name', ({ cert, key, said: given }) => {
  const folder = scratchFolder()
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  if (cert !== null) writeFileSync(files.certificate, cert)
  if (key !== null) writeFileSync(files.key, key)
  const flags = { 'tls-certificate': files.certificate, 'tls-key': files.key, data: folder }
  const config = loadConfig({ flags, environment: {} })
  if (given === undefined) {
    expect(encryptedEndpoints(config)).toMatchObject({ files })
    return
  }
  let problems: readonly string[] = []
  try {
    encryptedEndpoints(config)
  } catch (error) {
    if (error instanceof ConfigError) problems = error.problems
  }
  expect(problems.map((problem) => problem.replaceAll(folder, 'F'))).toEqual([expect.stringMatching(given)])
  // The log contains no part of a key.
  expect(problems.join()).not.toMatch(/BEGIN|MIG/)
})
