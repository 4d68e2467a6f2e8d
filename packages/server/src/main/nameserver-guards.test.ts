import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../config/index.ts'
import { FIRST, SECOND } from '../nameserver/certificate.cases.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { encryptedEndpoints } from './nameserver-guards.ts'

const CASES: readonly {
  readonly name: string
  /** What the files hold; null = there is no such file. */
  readonly cert: string | null
  readonly key: string | null
  /** What is said, F being the folder of the files; undefined = they are taken. */
  readonly said: RegExp | undefined
}[] = [
  { name: 'a certificate and its key', cert: FIRST.cert, key: FIRST.key, said: undefined },
  {
    name: 'no certificate',
    cert: null,
    key: FIRST.key,
    said: /^tls-certificate "F\/cert\.pem": ENOENT/,
  },
  { name: 'no key', cert: FIRST.cert, key: null, said: /^tls-key "F\/key\.pem": ENOENT/ },
  {
    name: 'something else in place of the certificate',
    cert: 'once',
    key: FIRST.key,
    said: /^tls-certificate "F\/cert\.pem": must hold a certificate \(PEM\)$/,
  },
  {
    name: 'the certificate in place of its key',
    cert: FIRST.cert,
    key: FIRST.cert,
    said: /^tls-key "F\/key\.pem": must hold a private key without passphrase \(PEM\)$/,
  },
  {
    name: 'the key of another',
    cert: FIRST.cert,
    key: SECOND.key,
    said: /^tls-key "F\/key\.pem": is not the key of the certificate "F\/cert\.pem"$/,
  },
]

test.each(CASES)('encrypted transports with $name', ({ cert, key, said }) => {
  const folder = scratchFolder()
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  if (cert !== null) writeFileSync(files.certificate, cert)
  if (key !== null) writeFileSync(files.key, key)
  const flags = { 'tls-certificate': files.certificate, 'tls-key': files.key, data: folder }
  const config = loadConfig({ flags, environment: {} })
  if (said === undefined) {
    expect(encryptedEndpoints(config)).toMatchObject({ files })
    return
  }
  let problems: readonly string[] = []
  try {
    encryptedEndpoints(config)
  } catch (error) {
    if (error instanceof ConfigError) problems = error.problems
  }
  expect(problems.map((problem) => problem.replaceAll(folder, 'F'))).toEqual([expect.stringMatching(said)])
  // Nothing of a key is in what is logged.
  expect(problems.join()).not.toMatch(/BEGIN|MIG/)
})
