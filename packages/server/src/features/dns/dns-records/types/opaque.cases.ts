// Records of types without a mnemonic: octets as content (RFC 3597 §5).
import { apiCases } from './api-cases.cases.ts'

const octets = (count: number) => `\\# ${count} ${'ab'.repeat(count)}`
const shown = (content: string) => ({ content })

export const opaqueCases = apiCases({
  name: 'opaque',
  valid: [
    ['octets', { content: '\\# 4 0a000001' }, shown('\\# 4 0a000001')],
    ['capitals', { content: '\\# 4 0A000001' }, shown('\\# 4 0a000001')],
    ['octets in groups', { content: '\\# 4 0a00 00 01' }, shown('\\# 4 0a000001')],
    ['octets in parentheses', { content: '\\# 4 ( 0a00\n 0001 )' }, shown('\\# 4 0a000001')],
    ['blanks around', { content: '  \\#  1  ff ' }, shown('\\# 1 ff')],
    ['no octets', { content: '\\# 0' }, shown('\\# 0')],
    ['the maximum number of octets', { content: octets(4_096) }, shown(octets(4_096))],
    ['octets that look like a name', { content: '\\# 6 0377777700 00' }, shown('\\# 6 037777770000')],
    ['octets that look like text', { content: '\\# 4 036162 63' }, shown('\\# 4 03616263')],
    ['a stray priority', { content: '\\# 1 01', priority: 5 }, shown('\\# 1 01')],
  ],
  invalid: [
    ['no content', {}, ['9007 /content']],
    ['empty content', { content: '' }, ['9007 /content']],
    ['text', { content: '10.0.0.1' }, ['9007 /content']],
    ['fewer octets than announced', { content: '\\# 4 0a0000' }, ['9007 /content']],
    ['more octets than announced', { content: '\\# 2 0a0000' }, ['9007 /content']],
    ['half an octet', { content: '\\# 1 0' }, ['9007 /content']],
    ['no hexadecimal', { content: '\\# 1 zz' }, ['9007 /content']],
    ['a negative number', { content: '\\# -1 00' }, ['9007 /content']],
    ['a quoted mark', { content: '"\\#" 1 00' }, ['9007 /content']],
    ['two lines', { content: '\\# 1 00\n\\# 1 01' }, ['9007 /content']],
    ['one octet too many', { content: octets(4_097) }, ['9015 /content']],
    ['proxied', { content: '\\# 1 00', proxied: true }, ['9004 /proxied']],
    ...[
      'TYPE0',
      'TYPE41',
      'TYPE255',
      'TYPE65536',
      'TYPE065280',
      'type65280',
      'TYPE',
      'TYPE1',
      'TYPE5',
      'TYPE6',
      'TYPE46',
      'TYPE50',
      'RRSIG',
    ].map((type) => [`the type ${type}`, { type, content: '\\# 4 0a000001' }, ['9002 /type']] as const),
  ],
})
