// Feeds as their publishers write them: the result of each line, and robustness against any text.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runAtOnce } from '@zonereeve/cooperate'
import { FORMATS, type FormatName } from './formats/registry.ts'
import { MAX_CHUNK_CHARACTERS, readCsvLine } from './splitter.rules.ts'
import { beginReading } from './reading.rules.ts'
import { formatProblem } from './threat-feeds.rules.ts'

const GIVEN = ['Crypto mining'] as const

function readAll(name: FormatName, parts: readonly string[]) {
  const reading = beginReading(FORMATS[name], FORMATS[name].categories === 'of-feed' ? GIVEN : [])
  const keyed = [...parts.flatMap((part) => runAtOnce(reading.take(part))), ...reading.end()]
  return { keyed, tally: reading.tally() }
}

type Case = readonly [
  name: string,
  format: FormatName,
  text: string,
  expected: readonly string[],
  tally: object,
]
type Row = readonly [
  name: string,
  format: FormatName,
  text: string,
  expected: readonly string[],
  tally?: object,
]

const URLHAUS_HEADER = `################################################################
# abuse.ch URLhaus Database Dump (CSV - recent URLs)           #
################################################################
#
# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter
`
const urlhaus = (url: string, tags: string) =>
  `"3712345","2026-01-05 10:20:30","${url}","online","2026-01-05 10:20:30","malware_download","${tags}","https://urlhaus.example/url/3712345/","anonymous"\r\n`
const THREATFOX_HEADER = `# "first_seen_utc", "ioc_id", "ioc_value", "ioc_type", "threat_type", "fk_malware", "malware_alias", "malware_printable", "last_seen_utc", "confidence_level", "is_compromised", "reference", "tags", "anonymous", "reporter"\n`
const threatfox = (value: string, type: string, threat: string, more: object = {}) => {
  const given = more as Record<string, string> // string values
  const { confidence = '100', malware = 'ClearFake', compromised = '0', tags = 'a,b' } = given
  return `"2026-01-05 10:20:30", "1234567", "${value}", "${type}", "${threat}", "js.x", "None", "${malware}", "", "${confidence}", "${compromised}", "None", "${tags}", "0", "someone"\n`
}
const C2 = 'Command-and-Control (C2) & Botnet'

const ROWS: readonly Row[] = [
  ['comments and a header are no entries', 'urlhaus', URLHAUS_HEADER, [], { unreadable: 0, passedOver: 0 }],
  [
    'a row of the CSV: the URL, and its host',
    'urlhaus',
    URLHAUS_HEADER + urlhaus('http://evil.example/a.sh', 'elf,mirai'),
    ['u:evil.example/a.sh Malware', 'h:evil.example Malware'],
    { entries: 1 },
  ],
  [
    'tags add categories',
    'urlhaus',
    URLHAUS_HEADER + urlhaus('http://evil.example/a', 'c2,Phishing,CoinMiner'),
    [
      `u:evil.example/a Malware,${C2},Phishing,Crypto mining`,
      `h:evil.example Malware,${C2},Phishing,Crypto mining`,
    ],
  ],
  [
    'generated and misspelled names, from tags',
    'urlhaus',
    URLHAUS_HEADER + urlhaus('http://evil.example/a', 'DGA, Typosquatting,constructor'),
    [
      'u:evil.example/a Malware,Domain Generation Algorithm (DGA) domain,Typosquatting & Impersonation',
      'h:evil.example Malware,Domain Generation Algorithm (DGA) domain,Typosquatting & Impersonation',
    ],
  ],
  [
    'a dump without last_online, read by its header',
    'urlhaus',
    '# id,dateadded,url,url_status,threat,tags,urlhaus_link,reporter\n"1","2019-01-01","http://evil.example/x","offline","malware_download","phishing","l","r"\n',
    ['u:evil.example/x Malware,Phishing', 'h:evil.example Malware,Phishing'],
  ],
  [
    'its text export',
    'urlhaus',
    '# text\nhttp://evil.example/a,b\n',
    ['u:evil.example/a,b Malware', 'h:evil.example Malware'],
  ],
  [
    'a page in its place',
    'urlhaus',
    '<html>\n<body>Sorry</body>\n',
    [],
    { unreadable: 2, firstUnreadable: 1 },
  ],

  [
    'an algorithm-generated domain, from tags',
    'threatfox',
    THREATFOX_HEADER + threatfox('evil.example', 'domain', 'botnet_cc', { tags: 'dga,x' }),
    [`d:evil.example ${C2},Domain Generation Algorithm (DGA) domain`],
  ],
  [
    'a domain',
    'threatfox',
    THREATFOX_HEADER + threatfox('evil.example', 'domain', 'payload_delivery'),
    ['d:evil.example Malware'],
  ],
  [
    'a server of a botnet, without its port',
    'threatfox',
    THREATFOX_HEADER + threatfox('192.0.2.7:4444', 'ip:port', 'botnet_cc'),
    [`d:192.0.2.7 ${C2}`],
  ],
  [
    'a URL',
    'threatfox',
    THREATFOX_HEADER + threatfox('https://evil.example/x.js', 'url', 'payload'),
    ['u:evil.example/x.js Malware', 'h:evil.example Malware'],
  ],
  [
    'a skimmer',
    'threatfox',
    THREATFOX_HEADER + threatfox('evil.example', 'domain', 'cc_skimming'),
    ['d:evil.example Malware'],
  ],
  [
    'an unknown threat',
    'threatfox',
    THREATFOX_HEADER + threatfox('evil.example', 'domain', 'novelty'),
    ['d:evil.example Security threats'],
  ],
  [
    'a miner',
    'threatfox',
    THREATFOX_HEADER + threatfox('evil.example', 'domain', 'botnet_cc', { malware: 'XMRIG' }),
    [`d:evil.example ${C2},Crypto mining`],
  ],
  [
    'a hash of a file',
    'threatfox',
    THREATFOX_HEADER + threatfox('a'.repeat(64), 'sha256_hash', 'payload'),
    [],
    { passedOver: 1 },
  ],
  [
    'confidence at the limit',
    'threatfox',
    THREATFOX_HEADER + threatfox('evil.example', 'domain', 'payload', { confidence: '50' }),
    ['d:evil.example Malware'],
  ],
  [
    'confidence one below',
    'threatfox',
    THREATFOX_HEADER + threatfox('evil.example', 'domain', 'payload', { confidence: '49' }),
    [],
    { passedOver: 1 },
  ],
  [
    'a compromised site: its domain is not flagged',
    'threatfox',
    THREATFOX_HEADER + threatfox('shop.example', 'domain', 'payload', { compromised: '1' }),
    [],
    { passedOver: 1 },
  ],
  [
    'a compromised site: only its URL is flagged',
    'threatfox',
    THREATFOX_HEADER + threatfox('https://shop.example/x.js', 'url', 'payload', { compromised: 'True' }),
    ['u:shop.example/x.js Malware'],
  ],
  [
    'an export from before is_compromised existed',
    'threatfox',
    '# "first_seen_utc", "ioc_id", "ioc_value", "ioc_type", "threat_type", "fk_malware", "malware_alias", "malware_printable", "last_seen_utc", "confidence_level", "reference", "tags", "anonymous", "reporter"\n"2026", "1", "evil.example", "domain", "botnet_cc", "js.x", "None", "X", "", "75", "None", "", "0", "s"\n',
    [`d:evil.example ${C2}`],
  ],
  ['no CSV', 'threatfox', '{"error": "unknown_auth_key"}\n', [], { unreadable: 1 }],

  [
    'CSV: quotes within quotes',
    'phishtank',
    'phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target\n9,"https://evil.example/a?x=""1"",2",http://p.example/9,2026-01-05T10:20:30+00:00,yes,2026-01-05T10:20:30+00:00,yes,Other\n',
    ['u:evil.example/a?x=%221%22,2 Phishing', 'h:evil.example Phishing'],
  ],
  [
    'JSON: objects in an array, with braces in strings',
    'phishtank',
    '[{"phish_id":1,"url":"https:\\/\\/evil.example\\/{a}\\"","details":[{"ip_address":"192.0.2.1"}],"target":"}{"},\n {"phish_id":2,"url":"https://two.example/"}]',
    [
      'u:evil.example/%7Ba%7D%22 Phishing',
      'h:evil.example Phishing',
      'u:two.example/ Phishing',
      'h:two.example Phishing',
    ],
  ],
  [
    'truncated JSON',
    'phishtank',
    '[{"url":"https://evil.example/"},{"url":"htt',
    ['u:evil.example/ Phishing', 'h:evil.example Phishing'],
    { unreadable: 1 },
  ],
  ['JSON of another format', 'phishtank', '[{"name":"x"},{"url":7}]', [], { unreadable: 2 }],

  [
    'URLs',
    'openphish',
    'https://evil.example/login\n\nhttp://two.example/\n',
    [
      'u:evil.example/login Phishing',
      'h:evil.example Phishing',
      'u:two.example/ Phishing',
      'h:two.example Phishing',
    ],
  ],
  ['no URL', 'openphish', 'evil.example\n', [], { unreadable: 1 }],

  [
    'names, comments, and the standard entries of hosts files',
    'hosts',
    '# NoCoin\n127.0.0.1 localhost\n::1 localhost ip6-localhost\n0.0.0.0 Miner.example # why\n0.0.0.0\ttwo.example three.example\n',
    ['d:miner.example Crypto mining', 'd:two.example Crypto mining', 'd:three.example Crypto mining'],
    { entries: 3, passedOver: 3, unreadable: 0 },
  ],
  ['a name without address', 'hosts', 'miner.example\n', [], { unreadable: 1 }],

  [
    'rules of hosts',
    'adblock',
    '[Adblock Plus 2.0]\n! Title: NoCoin\n||miner.example^$third-party\n||two.example^\n||three.example\n',
    ['d:miner.example Crypto mining', 'd:two.example Crypto mining', 'd:three.example Crypto mining'],
    { unreadable: 0, passedOver: 0 },
  ],
  [
    'rules of addresses',
    'adblock',
    '|https://evil.example/m.js|\n||two.example/lib/miner.js^$script\n',
    ['u:evil.example/m.js Crypto mining', 'u:two.example/lib/miner.js Crypto mining'],
  ],
  [
    'rules without a host, exceptions, hiding rules, and rules for some pages only',
    'adblock',
    '/coinhive.min.js\n*/miner.js\n@@||fine.example^\n##.ad\nexample.com##.ad\nexample.com#@#.ad\n/miner\\d+\\.js/\n||cdn.example^$domain=other.example\n||x.*^\n-miner-$script\n',
    [],
    { passedOver: 10, unreadable: 0 },
  ],
  ['a page in its place', 'adblock', '<html><head>\n<title>No such list</title>\n', [], { unreadable: 2 }],

  [
    'domains, addresses, URLs and their comments',
    'plain',
    '\uFEFF# list\nevil.example\n*.two.example\n.three.example\nBÜCHER.example.\n192.0.2.7\n[2001:db8::7]\nhttps://four.example/x # seen\nfive.example/path\n; old\n// older\n! oldest\nsix.example:8443\n',
    [
      'd:evil.example Crypto mining',
      'd:two.example Crypto mining',
      'd:three.example Crypto mining',
      'd:xn--bcher-kva.example Crypto mining',
      'd:192.0.2.7 Crypto mining',
      'd:[2001:db8::7] Crypto mining',
      'u:four.example/x Crypto mining',
      'h:four.example Crypto mining',
      'u:five.example/path Crypto mining',
      'h:five.example Crypto mining',
      'd:six.example Crypto mining',
    ],
    { unreadable: 0 },
  ],
  ['invalid hosts', 'plain', 'two words\n-\n<b>\nexa mple.com\n', [], { unreadable: 4 }],
  [
    'private networks and names',
    'plain',
    'localhost\nprinter\n10.0.0.1\n169.254.169.254\nnas.local\nhttp://192.168.0.1/x\n[::1]\n',
    [],
    { passedOver: 7, unreadable: 0 },
  ],
  ['other schemes', 'plain', 'ftp://evil.example/x\n', [], { passedOver: 1 }],
  [
    'whole shared hosts',
    'plain',
    'github.io\nnetlify.app\nvercel.app\npages.dev\nblogspot.com\ngithub.com\ngoogle.com\nraw.githubusercontent.com\nco.uk\ncom\nhttps://github.com/\n',
    [],
    { passedOver: 11, unreadable: 0 },
  ],
  ['one customer of a platform', 'plain', 'evil.github.io\n', ['d:evil.github.io Crypto mining']],
  [
    'a URL at a customer of a platform: not its host',
    'plain',
    'https://evil.github.io/kit/a.js\n',
    ['u:evil.github.io/kit/a.js Crypto mining'],
  ],
  [
    'a URL on a platform: not its host',
    'plain',
    'https://raw.githubusercontent.com/evil/x/main/a.js\n',
    ['u:raw.githubusercontent.com/evil/x/main/a.js Crypto mining'],
  ],
  [
    'a comment with a line separator of Unicode in it',
    'plain',
    'evil.example # a\u2028b\n# c\u2028d\ntwo.example\n',
    ['d:evil.example Crypto mining', 'd:two.example Crypto mining'],
    { unreadable: 0 },
  ],
  [
    'a comment with a line separator of Unicode in it, in a hosts file',
    'hosts',
    '0.0.0.0 evil.example # a\u2028b\n',
    ['d:evil.example Crypto mining'],
    { unreadable: 0 },
  ],
  ['a last line without a line end', 'plain', 'evil.example', ['d:evil.example Crypto mining']],
  ['nothing', 'plain', '', [], { entries: 0, unreadable: 0 }],
  [
    'a line that is too long, and the next',
    'plain',
    `${'a'.repeat(MAX_CHUNK_CHARACTERS + 1)}\nevil.example\n`,
    ['d:evil.example Crypto mining'],
    { unreadable: 1 },
  ],
]

const CASES = ROWS.map(([name, format, text, expected, tally = {}]): Case => [
  name,
  format,
  text,
  expected,
  tally,
])

describe('formats', () => {
  test('every format has cases', () => {
    expect([...new Set(CASES.map(([, format]) => format))].toSorted()).toEqual(
      Object.keys(FORMATS).toSorted(),
    )
  })

  test.each(CASES)('%s (%s)', (_, format, text, expected, tally) => {
    const read = readAll(format, [text])
    expect(read.keyed.map(({ key, categories }) => `${key} ${categories.join()}`)).toEqual(expected)
    expect(read.tally).toMatchObject(tally)
  })

  const short = CASES.filter(([, , text]) => text.length < MAX_CHUNK_CHARACTERS)
  test.each(short)('%s (%s), character by character', (_, format, text) => {
    expect(readAll(format, [...text])).toEqual(readAll(format, [text]))
  })

  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.domain(),
    fc.constantFrom('"', '""', ',', '# id,', '{"url":"', '}', '||', '$', '##', '0.0.0.0 ', '\\', '\u0000'),
  )
  const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'))

  test.each(Object.keys(FORMATS) as FormatName[])('any text, in any chunks, as %s', (format) => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (whole, cuts) => {
        const places = [
          0,
          ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b),
          whole.length,
        ]
        const parts = places.slice(1).map((end, index) => whole.slice(places[index], end))
        const read = readAll(format, parts)
        expect(read).toEqual(readAll(format, [whole]))
        const { entries, passedOver, unreadable } = read.tally
        expect(entries + passedOver + unreadable).toBeLessThanOrEqual(whole.length + 1)
        for (const { key } of read.keyed) expect(key).toMatch(/^[dhu]:[^\s]+$/)
      }),
    )
  })

  test('a line of CSV round-trips', () => {
    const fields = fc.array(
      fc.string().map((field) => field.replaceAll(/[\r\n]/g, '')),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(fields, fc.constantFrom(',', ', '), (written, comma) => {
        const line = written.map((field) => `"${field.replaceAll('"', '""')}"`).join(comma)
        expect(readCsvLine(line)).toEqual(written)
      }),
    )
  })

  test.each([
    ['"a', undefined],
    ['"a"b', undefined],
    ['"a" ,b', ['a', 'b']],
    ['', ['']],
    [',', ['', '']],
    ['a"b,c', ['a"b', 'c']],
  ] as const)('a line of CSV: %s', (line, expected) => {
    expect(readCsvLine(line)).toEqual(expected)
  })
})

describe('files that are not a feed of the format', () => {
  const tally = (entries: number, passedOver: number, unreadable: number) =>
    formatProblem('plain', { entries, passedOver, unreadable, firstUnreadable: 1 })
  test.each([
    ['an empty file', tally(0, 0, 0), false],
    ['half of it', tally(3, 2, 5), false],
    ['more than half', tally(3, 2, 6), true],
    ['all of it', tally(0, 0, 1), true],
  ])('%s', (_, problem, isOne) => {
    expect(problem !== undefined).toBe(isOne)
  })
})

test('a chunk of very many lines is read in steps, each with a bounded number of lines', () => {
  const lines = 30_000
  const work = beginReading(FORMATS.plain, GIVEN).take('a.example\n'.repeat(lines))
  let steps = 0
  let step = work.next()
  for (; step.done !== true; step = work.next()) steps += 1
  expect(steps).toBeGreaterThanOrEqual(lines / 100)
  expect(step.value).toHaveLength(lines)
})
