// TLSA, SMIMEA, CERT, SSHFP and OPENPGPKEY as the API accepts and shows them.
import { apiCases, missing, wrong } from './api-cases.cases.ts'

const DIGEST = 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'
const SHA1 = '859be6ed04643db411d067b6c1da1d75fe08b672'
const CERTIFICATE = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'

const tlsa = (certificate: string) => ({ certificate, matching_type: 1, selector: 1, usage: 3 })
const NO_TLSA = missing('certificate', 'matching_type', 'selector', 'usage')

export const tlsaCases = apiCases({
  name: '_443._tcp',
  valid: [
    [
      'fields, shown in upper case',
      { data: tlsa(DIGEST) },
      { content: `3 1 1 ${DIGEST.toUpperCase()}`, data: tlsa(DIGEST.toUpperCase()) },
    ],
    [
      'numbers as strings',
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
    [
      'empty fields of other types',
      { data: { ...tlsa(DIGEST), port: 0, tag: '', x: null } },
      { content: `3 1 1 ${DIGEST.toUpperCase()}`, data: tlsa(DIGEST.toUpperCase()) },
    ],
    [
      'fields and content',
      { data: tlsa(DIGEST), content: 'x' },
      { content: `3 1 1 ${DIGEST.toUpperCase()}`, data: tlsa(DIGEST.toUpperCase()) },
    ],
    [
      'an authority',
      { data: { ...tlsa(DIGEST), usage: 2, selector: 0 } },
      {
        content: `2 0 1 ${DIGEST.toUpperCase()}`,
        data: { ...tlsa(DIGEST.toUpperCase()), usage: 2, selector: 0 },
      },
    ],
    [
      'SHA-512',
      { data: { ...tlsa(DIGEST + DIGEST), matching_type: 2 } },
      {
        content: `3 1 2 ${(DIGEST + DIGEST).toUpperCase()}`,
        data: { ...tlsa((DIGEST + DIGEST).toUpperCase()), matching_type: 2 },
      },
    ],
    [
      'private use',
      { data: { certificate: 'FF', matching_type: 255, selector: 255, usage: 255 } },
      {
        content: '255 255 255 FF',
        data: { certificate: 'FF', matching_type: 255, selector: 255, usage: 255 },
      },
    ],
    [
      'content in parentheses',
      { content: `3 1 1 ( ${DIGEST} )` },
      { content: `3 1 1 ${DIGEST.toUpperCase()}`, data: tlsa(DIGEST.toUpperCase()) },
    ],
  ],
  invalid: [
    ['no fields', {}, NO_TLSA],
    ['unknown fields', { data: { ...tlsa(DIGEST), 'a/b': [1], x: 0 } }, ['6008 /data/a~1b', '6008 /data/x']],
    ['invalid content', { content: '3 1 1' }, ['9007 /content']],
    ['a digest that is too short', { data: tlsa('ab') }, wrong('certificate')],
    [
      'all fields out of range',
      { data: { certificate: 'g', matching_type: 256, selector: 256, usage: 256 } },
      wrong('certificate', 'matching_type', 'selector', 'usage'),
    ],
    ['an empty object', { data: {} }, NO_TLSA],
    ['a missing field', { data: { ...tlsa(DIGEST), selector: null } }, missing('selector')],
    [
      'an odd number of hexadecimal digits',
      { data: { ...tlsa('abc'), matching_type: 0 } },
      wrong('certificate'),
    ],
    ['an empty certificate', { data: { ...tlsa(''), matching_type: 0 } }, wrong('certificate')],
    ['a digest that is too long', { data: tlsa(`${DIGEST}00`) }, wrong('certificate')],
    ['content that breaks a rule', { content: '3 1 1 ABCD' }, wrong('certificate')],
  ],
})

export const smimeaCases = apiCases({
  name: 'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._smimecert',
  valid: [
    [
      'fields, shown in lower case',
      { data: tlsa(DIGEST.toUpperCase()) },
      { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) },
    ],
    ['content', { content: `3 1 1 ${DIGEST}` }, { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) }],
    [
      'numbers as strings',
      { data: { ...tlsa(DIGEST), usage: '3' } },
      { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) },
    ],
    [
      'empty fields of other types',
      { data: { ...tlsa(DIGEST), port: 0, tag: '', x: null } },
      { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) },
    ],
    [
      'fields and content',
      { data: tlsa(DIGEST), content: 'x' },
      { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) },
    ],
    [
      'an authority',
      { data: { ...tlsa(DIGEST), usage: 2 } },
      { content: `2 1 1 ${DIGEST}`, data: { ...tlsa(DIGEST), usage: 2 } },
    ],
    [
      'a whole certificate',
      { data: { ...tlsa('3082'), matching_type: 0 } },
      { content: '3 1 0 3082', data: { ...tlsa('3082'), matching_type: 0 } },
    ],
    [
      'SHA-512',
      { data: { ...tlsa(DIGEST + DIGEST), matching_type: 2 } },
      { content: `3 1 2 ${DIGEST}${DIGEST}`, data: { ...tlsa(DIGEST + DIGEST), matching_type: 2 } },
    ],
    [
      'whitespace in the digest',
      { data: tlsa(`${DIGEST.slice(0, 8)} ${DIGEST.slice(8)}`) },
      { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) },
    ],
    [
      'content in parentheses',
      { content: `( 3 1 1 ${DIGEST} )` },
      { content: `3 1 1 ${DIGEST}`, data: tlsa(DIGEST) },
    ],
  ],
  invalid: [
    ['no fields', {}, NO_TLSA],
    ['unknown fields', { data: { ...tlsa(DIGEST), 'a/b': [1], x: 0 } }, ['6008 /data/a~1b', '6008 /data/x']],
    ['a missing field', { data: { ...tlsa(DIGEST), usage: '' } }, missing('usage')],
    ['a digest that is too long', { data: tlsa(`${DIGEST}00`) }, wrong('certificate')],
    ['an empty object', { data: {} }, NO_TLSA],
    ['invalid content', { content: '3 1 1 xyz' }, ['9007 /content']],
    ['a usage over 255', { data: { ...tlsa(DIGEST), usage: 256 } }, wrong('usage')],
    ['a selector below 0', { data: { ...tlsa(DIGEST), selector: -1 } }, wrong('selector')],
    ['a fractional matching type', { data: { ...tlsa(DIGEST), matching_type: 1.5 } }, wrong('matching_type')],
    ['a certificate that is a number', { data: { ...tlsa(DIGEST), certificate: 1 } }, wrong('certificate')],
    ['an empty certificate', { data: { ...tlsa(''), matching_type: 0 } }, wrong('certificate')],
  ],
})

const cert = { algorithm: 8, certificate: CERTIFICATE, key_tag: 1, type: 9 }

export const certCases = apiCases({
  name: 'cert',
  valid: [
    ['fields', { data: cert }, { content: `9 1 8 ${CERTIFICATE}`, data: cert }],
    ['content', { content: `9 1 8 ${CERTIFICATE}` }, { content: `9 1 8 ${CERTIFICATE}`, data: cert }],
    [
      'content with names',
      { content: `PKIX 1 RSASHA256 ${CERTIFICATE}` },
      { content: `1 1 8 ${CERTIFICATE}`, data: { ...cert, type: 1 } },
    ],
    [
      'numbers as strings',
      { data: { ...cert, algorithm: '8', key_tag: '1', type: '9' } },
      { content: `9 1 8 ${CERTIFICATE}`, data: cert },
    ],
    [
      'empty fields of other types',
      { data: { ...cert, port: 0, tag: '', x: null } },
      { content: `9 1 8 ${CERTIFICATE}`, data: cert },
    ],
    ['fields and content', { data: cert, content: 'x' }, { content: `9 1 8 ${CERTIFICATE}`, data: cert }],
    [
      'the highest numbers',
      { data: { ...cert, algorithm: 255, key_tag: 65_535, type: 65_534 } },
      {
        content: `65534 65535 255 ${CERTIFICATE}`,
        data: { ...cert, algorithm: 255, key_tag: 65_535, type: 65_534 },
      },
    ],
    [
      'an unknown algorithm',
      { data: { ...cert, algorithm: 0 } },
      { content: `9 1 0 ${CERTIFICATE}`, data: { ...cert, algorithm: 0 } },
    ],
    [
      'whitespace in the certificate',
      { data: { ...cert, certificate: `${CERTIFICATE.slice(0, 8)}\n${CERTIFICATE.slice(8)}` } },
      { content: `9 1 8 ${CERTIFICATE}`, data: cert },
    ],
    [
      'content in parentheses',
      { content: `9 1 8 ( ${CERTIFICATE} )` },
      { content: `9 1 8 ${CERTIFICATE}`, data: cert },
    ],
  ],
  invalid: [
    ['no fields', {}, missing('algorithm', 'certificate', 'key_tag', 'type')],
    ['unknown fields', { data: { ...cert, 'a/b': [1], x: 0 } }, ['6008 /data/a~1b', '6008 /data/x']],
    ['type 0', { data: { ...cert, type: 0 } }, wrong('type')],
    ['a certificate that is not base64', { data: { ...cert, certificate: 'abc' } }, wrong('certificate')],
    ['a type given by its mnemonic', { data: { ...cert, type: 'PKIX' } }, wrong('type')],
    ['an empty object', { data: {} }, missing('algorithm', 'certificate', 'key_tag', 'type')],
    ['invalid content', { content: '9 1 8' }, ['9007 /content']],
    ['a reserved type as content', { content: `255 1 8 ${CERTIFICATE}` }, wrong('type')],
    ['no certificate', { data: { ...cert, certificate: '' } }, wrong('certificate')],
    ['a missing field', { data: { ...cert, key_tag: null } }, missing('key_tag')],
    [
      'all fields out of range',
      { data: { algorithm: 256, certificate: 1, key_tag: 65_536, type: -1 } },
      wrong('algorithm', 'certificate', 'key_tag', 'type'),
    ],
  ],
})

const sshfp = { algorithm: 4, fingerprint: DIGEST, type: 2 }

export const sshfpCases = apiCases({
  name: 'host',
  valid: [
    ['fields', { data: sshfp }, { content: `4 2 ${DIGEST}`, data: sshfp }],
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
    [
      'numbers as strings',
      { data: { ...sshfp, algorithm: '4', type: '2' } },
      { content: `4 2 ${DIGEST}`, data: sshfp },
    ],
    [
      'empty fields of other types',
      { data: { ...sshfp, port: 0, tag: '', x: null } },
      { content: `4 2 ${DIGEST}`, data: sshfp },
    ],
    ['fields and content', { data: sshfp, content: 'x' }, { content: `4 2 ${DIGEST}`, data: sshfp }],
    [
      'whitespace in the fingerprint',
      { data: { ...sshfp, fingerprint: `${DIGEST.slice(0, 8)} ${DIGEST.slice(8)}` } },
      { content: `4 2 ${DIGEST}`, data: sshfp },
    ],
    [
      'RSA',
      { data: { ...sshfp, algorithm: 1 } },
      { content: `1 2 ${DIGEST}`, data: { ...sshfp, algorithm: 1 } },
    ],
    [
      'an unknown type',
      { data: { ...sshfp, type: 9, fingerprint: 'ff' } },
      { content: '4 9 ff', data: { ...sshfp, type: 9, fingerprint: 'ff' } },
    ],
    ['content in parentheses', { content: `4 2 ( ${DIGEST} )` }, { content: `4 2 ${DIGEST}`, data: sshfp }],
  ],
  invalid: [
    ['no fields', {}, missing('algorithm', 'fingerprint', 'type')],
    ['unknown fields', { data: { ...sshfp, 'a/b': [1], x: 0 } }, ['6008 /data/a~1b', '6008 /data/x']],
    ['a fingerprint with colons', { data: { ...sshfp, fingerprint: '85:9b' } }, wrong('fingerprint')],
    ['a fingerprint of the other type', { data: { ...sshfp, type: 1 } }, wrong('fingerprint')],
    ['reserved numbers', { data: { ...sshfp, algorithm: 0, type: 0 } }, wrong('algorithm', 'type')],
    ['an empty object', { data: {} }, missing('algorithm', 'fingerprint', 'type')],
    ['invalid content', { content: '4 2' }, ['9007 /content']],
    ['content that breaks a rule', { content: `4 2 ${SHA1}` }, wrong('fingerprint')],
    ['no fingerprint', { data: { ...sshfp, fingerprint: '' } }, wrong('fingerprint')],
    ['a missing field', { data: { ...sshfp, type: '' } }, missing('type')],
    [
      'all fields out of range',
      { data: { algorithm: 256, fingerprint: 'x', type: 256 } },
      wrong('algorithm', 'fingerprint', 'type'),
    ],
  ],
})

export const openpgpkeyCases = apiCases({
  name: 'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._openpgpkey',
  valid: [
    ['a key', { content: 'mQENBFVHm5sBCADu' }, { content: 'mQENBFVHm5sBCADu' }],
    ['a key with whitespace', { content: ' mQENBFVH m5sBCADu\t' }, { content: 'mQENBFVHm5sBCADu' }],
    ['data beside it', { content: 'AA==', data: {} }, { content: 'AA==' }],
    ['one octet', { content: 'AA==' }, { content: 'AA==' }],
    ['two octets', { content: 'AAE=' }, { content: 'AAE=' }],
    ['slashes and plus signs', { content: '++//' }, { content: '++//' }],
    ['lines in parentheses', { content: '( mQEN\n BFVH )' }, { content: 'mQENBFVH' }],
    ['a comment behind', { content: 'mQENBFVH ; mine' }, { content: 'mQENBFVH' }],
    ['generic text', { content: '\\# 3 010203' }, { content: 'AQID' }],
    ['a priority without meaning', { content: 'AQID', priority: 0 }, { content: 'AQID' }],
  ],
  invalid: [
    ['no fields', {}, ['9007 /content']],
    ['an empty key', { content: '' }, ['9007 /content']],
    ['no base64', { content: 'mQENB' }, ['9007 /content']],
    ['an armored key', { content: '-----BEGIN PGP PUBLIC KEY BLOCK-----' }, ['9007 /content']],
    ['content that is null', { content: null }, ['9007 /content']],
    ['base64url', { content: 'AQI_' }, ['9007 /content']],
    ['padding inside', { content: 'AQ==AQID' }, ['9007 /content']],
    ['two lines', { content: 'AQID\nAQID' }, ['9007 /content']],
    ['the octets of an armored key', { content: 'LS0tLS1CRUdJTg==' }, ['9007 /content']],
    ['hexadecimal with a sign', { content: '0x01-' }, ['9007 /content']],
  ],
})
