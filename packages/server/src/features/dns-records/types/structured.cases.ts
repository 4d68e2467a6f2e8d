// Types whose values have tables of their own beside them: here each goes once through the whole API.
import type { ApiCases } from './cases.ts'

const missing = (...members: readonly string[]) =>
  ['nothing', {}, members.map(() => 9101), members.map((member) => `/data/${member}`)] as const

const SHA1 = '2BB183AF5F22588179A53B0A98631FAD1A292118'
const SHA256 = 'D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A'
const KEY = 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='

const cert = { algorithm: 8, certificate: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A', key_tag: 1, type: 9 }
export const certCases: ApiCases = {
  name: 'www',
  valid: [
    [
      'parts',
      { data: cert },
      { content: `9 1 8 ${cert.certificate}`, data: cert },
      `9 1 8 ${cert.certificate}`,
    ],
    [
      'content',
      { content: `PKIX 1 RSASHA256 ${cert.certificate}` },
      { data: { ...cert, type: 1 } },
      `1 1 8 ${cert.certificate}`,
    ],
  ],
  invalid: [missing('algorithm', 'certificate', 'key_tag', 'type')],
}

const dnskey = { algorithm: 15, flags: 257, protocol: 3, public_key: KEY }
export const dnskeyCases: ApiCases = {
  name: 'www',
  valid: [
    ['parts', { data: dnskey }, { content: `257 3 15 ${KEY}`, data: dnskey }, `257 3 15 ${KEY}`],
    ['content', { content: `256 3 ED25519 ${KEY}` }, { data: { ...dnskey, flags: 256 } }, `256 3 15 ${KEY}`],
  ],
  invalid: [missing('algorithm', 'flags', 'protocol', 'public_key')],
}

const ds = { algorithm: 13, digest: SHA256, digest_type: 2, key_tag: 2371 }
export const dsCases: ApiCases = {
  name: '@',
  valid: [
    ['parts', { data: ds }, { content: `2371 13 2 ${SHA256}`, data: ds }, `2371 13 2 ${SHA256}`],
    [
      'content in lower case',
      { content: `1 5 1 ${SHA1.toLowerCase()}` },
      { data: { algorithm: 5, digest: SHA1, digest_type: 1, key_tag: 1 } },
      `1 5 1 ${SHA1}`,
    ],
  ],
  invalid: [missing('algorithm', 'digest', 'digest_type', 'key_tag')],
}

const service = { priority: 1, target: 'www.example.net.', value: 'alpn="h3,h2" port="443"' }
export const svcbCases: ApiCases = {
  name: '_dns',
  valid: [
    [
      'parts',
      { data: service },
      { content: '1 www.example.net. alpn="h3,h2" port="443"', data: service },
      '1 www.example.net. alpn="h3,h2" port="443"',
    ],
    [
      'an alias',
      { data: { priority: 0, target: 'www.example.net' } },
      { content: '0 www.example.net.' },
      '0 www.example.net.',
    ],
    [
      'octets that are no text',
      { content: '1 . key667="\\255"' },
      { data: { value: 'key667="\\255"' } },
      '1 . key667="\\255"',
    ],
    [
      'a value with a blank in front',
      { data: { ...service, value: ` ${service.value}` } },
      { data: service },
      '1 www.example.net. alpn="h3,h2" port="443"',
    ],
  ],
  invalid: [
    missing('priority', 'target'),
    ['a wrong value', { data: { ...service, value: 'port=x' } }, [9101], ['/data/value']],
  ],
}

const loc = {
  altitude: -24.05,
  lat_degrees: 37,
  lat_direction: 'N',
  lat_minutes: 46,
  lat_seconds: 46.5,
  long_degrees: 122,
  long_direction: 'W',
  long_minutes: 23,
  long_seconds: 35,
  precision_horz: 0,
  precision_vert: 0,
  size: 100,
}
const LOC_SERVED = '37 46 46.500 N 122 23 35.000 W -24.05m 100.00m 0.00m 0.00m'
export const locCases: ApiCases = {
  name: 'www',
  valid: [
    [
      'parts',
      { data: loc },
      { content: '37 46 46.500 N 122 23 35.000 W -24.05 100.00 0.00 0.00', data: loc },
      LOC_SERVED,
    ],
    ['content', { content: '37 46 46.5 N 122 23 35 W -24.05m 100m 0m 0m' }, { data: loc }, LOC_SERVED],
  ],
  invalid: [missing('altitude', 'lat_degrees', 'lat_direction', 'long_degrees', 'long_direction')],
}

const naptr = {
  flags: 'u',
  order: 100,
  preference: 10,
  regex: '!^.*$!sip:\\1@example.net!i',
  replacement: '.',
  service: 'E2U+sip',
}
export const naptrCases: ApiCases = {
  name: 'www',
  valid: [
    ['parts', { data: naptr }, { data: naptr }, '100 10 "u" "E2U+sip" "!^.*$!sip:\\\\1@example.net!i" .'],
    [
      'content',
      { content: '30 100 S SIP+D2T "" _sip._tcp.example.net.' },
      { data: { replacement: '_sip._tcp.example.net.' } },
      '30 100 "S" "SIP+D2T" "" _sip._tcp.example.net.',
    ],
  ],
  invalid: [missing('flags', 'order', 'preference', 'regex', 'replacement', 'service')],
}

export const openpgpkeyCases: ApiCases = {
  name: 'www',
  valid: [['a key', { content: ' mQENBFVH m5sBCADu' }, { content: 'mQENBFVHm5sBCADu' }, 'mQENBFVHm5sBCADu']],
  invalid: [
    ['nothing', {}, [9007], ['/content']],
    ['no base64', { content: 'mQENB' }, [9007], ['/content']],
  ],
}

export const ptrCases: ApiCases = {
  name: '1',
  valid: [
    ['a host', { content: 'Host.example.net.' }, { content: 'host.example.net' }, 'host.example.net.'],
    [
      'a name with a blank',
      { content: 'a\\032b.example.net' },
      { content: 'a\\032b.example.net' },
      'a\\032b.example.net.',
    ],
  ],
  invalid: [
    ['nothing', {}, [9007], ['/content']],
    ['an address', { content: '192.0.2.1' }, [9007], ['/content']],
  ],
}

const sshfp = { algorithm: 4, fingerprint: SHA256.toLowerCase(), type: 2 }
export const sshfpCases: ApiCases = {
  name: 'www',
  valid: [
    [
      'parts',
      { data: { ...sshfp, fingerprint: SHA256 } },
      { content: `4 2 ${sshfp.fingerprint}`, data: sshfp },
      `4 2 ${sshfp.fingerprint}`,
    ],
  ],
  invalid: [missing('algorithm', 'fingerprint', 'type')],
}

const tlsa = { certificate: SHA256, matching_type: 1, selector: 1, usage: 3 }
export const tlsaCases: ApiCases = {
  name: '_443._tcp',
  valid: [
    [
      'parts',
      { data: { ...tlsa, certificate: SHA256.toLowerCase() } },
      { content: `3 1 1 ${SHA256}`, data: tlsa },
      `3 1 1 ${SHA256}`,
    ],
  ],
  invalid: [missing('certificate', 'matching_type', 'selector', 'usage')],
}

const smimea = { ...tlsa, certificate: SHA256.toLowerCase() }
export const smimeaCases: ApiCases = {
  name: '_443._tcp',
  valid: [
    [
      'parts',
      { data: smimea },
      { content: `3 1 1 ${smimea.certificate}`, data: smimea },
      `3 1 1 ${smimea.certificate}`,
    ],
  ],
  invalid: [missing('certificate', 'matching_type', 'selector', 'usage')],
}

const uri = { target: 'https://example.net/a', weight: 20 }
export const uriCases: ApiCases = {
  name: '_http._tcp',
  valid: [
    [
      'parts',
      { priority: 10, data: uri },
      { content: '20 "https://example.net/a"', priority: 10, data: uri },
      '10 20 "https://example.net/a"',
    ],
    [
      'zone-file text',
      { content: '10 20 "https://example.net/a"' },
      { priority: 10, data: uri },
      '10 20 "https://example.net/a"',
    ],
    [
      'the text of a reply, beside its priority',
      { content: '20 "https://example.net/a"', priority: 10 },
      { data: uri },
      '10 20 "https://example.net/a"',
    ],
  ],
  invalid: [
    ['no priority', { data: uri }, [9101], ['/priority']],
    [
      'a target that is no URI',
      { priority: 1, data: { ...uri, target: 'example.net' } },
      [9101],
      ['/data/target'],
    ],
  ],
}
