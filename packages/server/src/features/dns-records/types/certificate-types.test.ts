// TLSA, SMIMEA, CERT, SSHFP and OPENPGPKEY as the API takes and shows them.
import { checkValues, missing, wrong } from './value-tables.cases.ts'

const DIGEST = 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'
const SHA1 = '859be6ed04643db411d067b6c1da1d75fe08b672'
const CERTIFICATE = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'

const tlsa = (certificate: string) => ({ certificate, matching_type: 1, selector: 1, usage: 3 })
const NO_TLSA = missing('certificate', 'matching_type', 'selector', 'usage')

checkValues({
  type: 'TLSA',
  valid: [
    [
      'parts, shown in upper case',
      { data: tlsa(DIGEST) },
      { content: `3 1 1 ${DIGEST.toUpperCase()}`, data: tlsa(DIGEST.toUpperCase()) },
    ],
    [
      'numbers as text',
      { data: { ...tlsa(DIGEST), usage: '3', selector: '1', matching_type: '1' } },
      { content: `3 1 1 ${DIGEST.toUpperCase()}`, data: tlsa(DIGEST.toUpperCase()) },
    ],
    [
      'content',
      { content: `3 1 1 ${DIGEST}` },
      { content: `3 1 1 ${DIGEST.toUpperCase()}`, data: tlsa(DIGEST.toUpperCase()) },
    ],
    [
      'a whole certificate',
      { data: { ...tlsa('3082'), matching_type: 0 } },
      { content: '3 1 0 3082', data: { ...tlsa('3082'), matching_type: 0 } },
    ],
  ],
  invalid: [
    ['nothing', {}, NO_TLSA],
    ['content that is none', { content: '3 1 1' }, NO_TLSA],
    ['a digest that is too short', { data: tlsa('ab') }, wrong('certificate')],
    [
      'all out of range',
      { data: { certificate: 'g', matching_type: 256, selector: 256, usage: 256 } },
      wrong('certificate', 'matching_type', 'selector', 'usage'),
    ],
  ],
})

checkValues({
  type: 'SMIMEA',
  valid: [
    [
      'parts, shown in lower case',
      { data: tlsa(DIGEST.toUpperCase()) },
      { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) },
    ],
    ['content', { content: `3 1 1 ${DIGEST}` }, { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) }],
  ],
  invalid: [
    ['nothing', {}, NO_TLSA],
    ['a missing part', { data: { ...tlsa(DIGEST), usage: '' } }, missing('usage')],
    ['a digest that is too long', { data: tlsa(`${DIGEST}00`) }, wrong('certificate')],
  ],
})

const cert = { algorithm: 8, certificate: CERTIFICATE, key_tag: 1, type: 9 }

checkValues({
  type: 'CERT',
  valid: [
    ['parts', { data: cert }, { content: `9 1 8 ${CERTIFICATE}`, data: cert }],
    ['content', { content: `9 1 8 ${CERTIFICATE}` }, { content: `9 1 8 ${CERTIFICATE}`, data: cert }],
    [
      'content with names',
      { content: `PKIX 1 RSASHA256 ${CERTIFICATE}` },
      { content: `1 1 8 ${CERTIFICATE}`, data: { ...cert, type: 1 } },
    ],
    [
      'numbers as text',
      { data: { ...cert, algorithm: '8', key_tag: '1', type: '9' } },
      { content: `9 1 8 ${CERTIFICATE}`, data: cert },
    ],
  ],
  invalid: [
    ['nothing', {}, missing('algorithm', 'certificate', 'key_tag', 'type')],
    ['type 0', { data: { ...cert, type: 0 } }, wrong('type')],
    ['a certificate that is no base64', { data: { ...cert, certificate: 'abc' } }, wrong('certificate')],
    ['a type by name', { data: { ...cert, type: 'PKIX' } }, wrong('type')],
  ],
})

const sshfp = { algorithm: 4, fingerprint: DIGEST, type: 2 }

checkValues({
  type: 'SSHFP',
  valid: [
    ['parts', { data: sshfp }, { content: `4 2 ${DIGEST}`, data: sshfp }],
    [
      'upper case',
      { data: { ...sshfp, fingerprint: DIGEST.toUpperCase() } },
      { content: `4 2 ${DIGEST}`, data: sshfp },
    ],
    [
      'content',
      { content: `1 1 ${SHA1}` },
      { content: `1 1 ${SHA1}`, data: { algorithm: 1, fingerprint: SHA1, type: 1 } },
    ],
  ],
  invalid: [
    ['nothing', {}, missing('algorithm', 'fingerprint', 'type')],
    ['a fingerprint with colons', { data: { ...sshfp, fingerprint: '85:9b' } }, wrong('fingerprint')],
    ['a fingerprint of the other type', { data: { ...sshfp, type: 1 } }, wrong('fingerprint')],
    ['reserved numbers', { data: { ...sshfp, algorithm: 0, type: 0 } }, wrong('algorithm', 'type')],
  ],
})

checkValues({
  type: 'OPENPGPKEY',
  valid: [
    ['a key', { content: 'mQENBFVHm5sBCADu' }, { content: 'mQENBFVHm5sBCADu' }],
    ['a key with blanks', { content: ' mQENBFVH m5sBCADu\t' }, { content: 'mQENBFVHm5sBCADu' }],
    ['data beside it', { content: 'AA==', data: {} }, { content: 'AA==' }],
  ],
  invalid: [
    ['nothing', {}, ['record.content_missing /content']],
    ['nothing in it', { content: '' }, ['record.content /content']],
    ['no base64', { content: 'mQENB' }, ['record.content /content']],
    ['an armoured key', { content: '-----BEGIN PGP PUBLIC KEY BLOCK-----' }, ['record.content /content']],
  ],
})
