import type { ApiCases } from './cases.ts'

const caa = (flags: unknown, tag: unknown, value: unknown) => ({ data: { flags, tag, value } })
const shown = (flags: number, tag: string, value: string, text = value) => ({
  content: `${flags} ${tag} "${text}"`,
  data: { flags, tag, value },
  proxiable: false,
})
const MEMBERS = ['/data/flags', '/data/tag', '/data/value']

export const caaCases: ApiCases = {
  name: '@',
  valid: [
    [
      'an issuer',
      caa(0, 'issue', 'ca.example.net'),
      shown(0, 'issue', 'ca.example.net'),
      '0 issue "ca.example.net"',
    ],
    ['no issuer', caa(0, 'issue', ';'), shown(0, 'issue', ';'), '0 issue ";"'],
    ['no issuer, in the empty form', caa(0, 'issue', ''), shown(0, 'issue', ''), '0 issue ""'],
    [
      'wildcards',
      caa(0, 'issuewild', 'ca.example.net'),
      shown(0, 'issuewild', 'ca.example.net'),
      '0 issuewild "ca.example.net"',
    ],
    [
      'critical',
      caa(128, 'issue', 'ca.example.net'),
      shown(128, 'issue', 'ca.example.net'),
      '128 issue "ca.example.net"',
    ],
    [
      'flags as a string',
      caa('0', 'issue', 'ca.example.net'),
      shown(0, 'issue', 'ca.example.net'),
      '0 issue "ca.example.net"',
    ],
    [
      'parameters',
      caa(0, 'issue', 'letsencrypt.org; validationmethods=dns-01; accounturi=https://example.net/acct/1'),
      {},
      '0 issue "letsencrypt.org; validationmethods=dns-01; accounturi=https://example.net/acct/1"',
    ],
    [
      'a report by mail',
      caa(0, 'iodef', 'mailto:security@example.com'),
      shown(0, 'iodef', 'mailto:security@example.com'),
      '0 iodef "mailto:security@example.com"',
    ],
    [
      'a report to a URL',
      caa(0, 'iodef', 'https://example.net/report'),
      {},
      '0 iodef "https://example.net/report"',
    ],
    ['mail certificates', caa(0, 'issuemail', 'ca.example.net'), {}, '0 issuemail "ca.example.net"'],
    [
      'a tag in capitals',
      caa(0, 'ISSUE', 'ca.example.net'),
      { data: { tag: 'ISSUE' } },
      '0 ISSUE "ca.example.net"',
    ],
    [
      'an unknown tag, with any value',
      caa(0, 'tbs', 'a "quoted" \\ thing'),
      shown(0, 'tbs', 'a "quoted" \\ thing', 'a \\"quoted\\" \\\\ thing'),
      '0 tbs "a \\"quoted\\" \\\\ thing"',
    ],
    ['letters beyond ASCII', caa(0, 'tbs', 'ü'), shown(0, 'tbs', 'ü', '\\195\\188'), '0 tbs "\\195\\188"'],
    [
      'content, quoted',
      { content: '0 issue "ca.example.net"' },
      shown(0, 'issue', 'ca.example.net'),
      '0 issue "ca.example.net"',
    ],
    [
      'content, without quotes and with tabs',
      { content: '0\tissue\tca.example.net' },
      shown(0, 'issue', 'ca.example.net'),
      '0 issue "ca.example.net"',
    ],
    [
      'content beside data, which wins',
      { content: '0 issue "other.example.net"', ...caa(0, 'issue', 'ca.example.net') },
      shown(0, 'issue', 'ca.example.net'),
      '0 issue "ca.example.net"',
    ],
    [
      'below the apex',
      { name: 'www', ...caa(0, 'issue', 'ca.example.net') },
      { name: 'www.example.com' },
      '0 issue "ca.example.net"',
    ],
  ],
  invalid: [
    ['nothing', {}, [9101, 9101, 9101], MEMBERS],
    ['empty data', { data: {} }, [9101, 9101, 9101], MEMBERS],
    ['no flags', caa(undefined, 'issue', 'a'), [9101], ['/data/flags']],
    ['no tag', caa(0, undefined, 'a'), [9101], ['/data/tag']],
    ['no value', caa(0, 'issue', undefined), [9101], ['/data/value']],
    ['flags one above the maximum', caa(256, 'issue', 'a'), [9101], ['/data/flags']],
    ['negative flags', caa(-1, 'issue', 'a'), [9101], ['/data/flags']],
    ['flags that are not a number', caa('critical', 'issue', 'a'), [9101], ['/data/flags']],
    ['a reserved flag', caa(1, 'issue', 'a'), [9101], ['/data/flags']],
    ['an empty tag', caa(0, '', 'a'), [9101], ['/data/tag']],
    ['a tag with a space', caa(0, 'is sue', 'a'), [9101], ['/data/tag']],
    ['a tag with a hyphen', caa(0, 'is-sue', 'a'), [9101], ['/data/tag']],
    ['a tag of 256 letters', caa(0, 'x'.repeat(256), 'a'), [9101], ['/data/tag']],
    ['a tag that is not a string', caa(0, 5, 'a'), [9101], ['/data/tag']],
    ['a value that is not a string', caa(0, 'issue', 5), [9101], ['/data/value']],
    ['an issuer that is a URL', caa(0, 'issue', 'https://ca.example.net'), [9101], ['/data/value']],
    ['an issuer with a space', caa(0, 'issue', 'ca example'), [9101], ['/data/value']],
    ['a report without a scheme', caa(0, 'iodef', 'security@example.com'), [9101], ['/data/value']],
    ['content that cannot be parsed', { content: 'issue ca.example.net' }, [9007], ['/content']],
    ['only the name of an issuer', { content: 'letsencrypt.org' }, [9007], ['/content']],
    ['octets that are not UTF-8, by content', { content: '0 x "\\255"' }, [9101], ['/data/value']],
    ['content with extra text', { content: '0 issue "a" "b"' }, [9007], ['/content']],
    ['blank content', { content: ' ' }, [9101, 9101, 9101], MEMBERS],
    ['proxied', { ...caa(0, 'issue', 'a'), proxied: true }, [9004], ['/proxied']],
  ],
}
