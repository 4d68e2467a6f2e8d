// The interfaces for script fetching and threat feeds: leases, backoff, versions, verdicts, and their API output.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import type { FetchedContent } from './contents.service.ts'
import { wholeSeconds } from './life-cycle.rules.ts'
import { views } from './observing.cases.ts'
import { NO_SCORES } from './scores.rules.ts'
import type { Detection } from './detections.service.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const hex = (digit: string) => digit.repeat(64)
const content = (digit: string, jsIntegrity = 90): FetchedContent => ({
  hash: hex(digit),
  contentSha256: hex(digit),
  sri: `sha384-${digit}`,
  scores: { ...NO_SCORES, jsIntegrity, malware: 50 },
  reasons: [`because of ${digit}`],
  memory: null,
  source: { bytes: Buffer.from(`content ${digit}`), charset: null },
})

describe('contents', () => {
  let app: TestApp
  let zoneId: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const path = (text: string) => `/zones/${zoneId}/page_shield${text}`
  const own = (text: string) => `/zonereeve/zones/${zoneId}/page_shield${text}`

  /** Creates a zone with one script and one connection. @returns their ids. */
  async function seeded(name: string): Promise<{ script: string; connection: string }> {
    for (const zone of await app.must<{ id: string }[]>('GET', '/zones'))
      await app.must('DELETE', `/zones/${zone.id}`)
    zoneId = (await app.must('POST', '/zones', { name })).id
    await app.must('PUT', path(''), { enabled: true })
    const page_url = `https://${name}/`
    const scripts = ['https://cdn.example.net/a.js']
    const connections = ['https://api.example.net/']
    await app.must('POST', own('/observations'), {
      observations: views(3, { page_url, scripts, connections }),
    })
    const [script] = await app.must<{ id: string }[]>('GET', path('/scripts'))
    const [connection] = await app.must<{ id: string }[]>('GET', path('/connections'))
    return { script: script?.id ?? '', connection: connection?.id ?? '' }
  }

  const eventKinds = async () =>
    (await app.must<{ kind: string }[]>('GET', own('/events'))).map(({ kind }) => kind).toReversed()
  const due = async () => (await app.pageShield.contents.dueForFetch(10)).map(({ id }) => id)

  test('a new script is due at once, for one worker; a lease expires; connections are never due', async () => {
    const { script } = await seeded('lease.example')
    const [leased] = await app.pageShield.contents.dueForFetch(10)
    expect(leased).toEqual({
      id: script,
      zoneId,
      url: 'https://cdn.example.net/a.js',
      urlHost: 'cdn.example.net',
      host: 'lease.example',
      site: 'example.net',
      contentSha256: null,
      memory: null,
      leasedUntil: '2026-01-05T10:25:30Z',
    })
    expect(await due()).toEqual([])
    app.clock.advance(5 * MINUTE)
    expect(await due()).toEqual([script])
  })

  test('a script can be fetched at once, but not twice a minute, and not while it is being fetched', async () => {
    const { script, connection } = await seeded('now.example')
    const fetchNow = (id: string) => app.call({ method: 'POST', path: own(`/scripts/${id}/fetch`), body: {} })
    await app.pageShield.contents.dueForFetch(10)
    expect((await fetchNow(script)).status).toBe(200)
    expect(await due()).toEqual([]) // it is being fetched
    await app.pageShield.contents.saveFetch(zoneId, script, content('a'))
    const again = await fetchNow(script)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('20420')])
    app.clock.advance(MINUTE)
    expect(await due()).toEqual([])
    expect((await fetchNow(script)).status).toBe(200)
    expect(await due()).toEqual([script])
    await app.pageShield.contents.saveFailure(zoneId, script, 'status')
    expect(await due()).toEqual([])
    app.clock.advance(MINUTE)
    expect((await fetchNow(script)).status).toBe(200)
    expect(await due()).toEqual([script])
    expect([(await fetchNow(connection)).status, (await fetchNow('0'.repeat(32))).status]).toEqual([404, 404])
  })

  test('scripts that browsers no longer load, or that are not monitored, are not fetched at once', async () => {
    const { script } = await seeded('gone.example')
    const fetchNow = () => app.call({ method: 'POST', path: own(`/scripts/${script}/fetch`), body: {} })
    await app.pageShield.contents.saveFetch(zoneId, script, content('a'))
    app.clock.advance(8 * DAY)
    const inactive = await fetchNow()
    expect([inactive.status, inactive.text]).toEqual([400, expect.stringContaining('20421')])
    await app.must('PUT', path(''), { enabled: false })
    const disabled = await fetchNow()
    expect([disabled.status, disabled.text]).toEqual([400, expect.stringContaining('19613')])
  })

  test('a fetch is stored, shown, and due again after a day', async () => {
    const { script } = await seeded('fetch.example')
    await due()
    expect(await app.pageShield.contents.saveFetch(zoneId, script, content('a'))).toBe(true)
    expect(await due()).toEqual([])
    const detail = await app.must('GET', path(`/scripts/${script}`))
    const scores = { js_integrity_score: 90, malware_score: 50, magecart_score: null }
    expect(detail).toMatchObject({ hash: hex('a'), ...scores, versions: [{ hash: hex('a'), ...scores }] })
    expect(await app.must('GET', own(`/scripts/${script}/contents`))).toMatchObject({
      content_sha256: hex('a'),
      sri: 'sha384-a',
      failures: 0,
      reasons: ['because of a'],
      browser_hashes: [],
    })
    app.clock.advance(DAY)
    expect(await due()).toEqual([script])
    expect(await eventKinds()).toEqual(['script.new', 'connection.new'])
  })

  test('failures delay the next fetch increasingly, at most a day; a success resets them', async () => {
    const { script } = await seeded('backoff.example')
    const waits: number[] = []
    for (let failure = 0; failure < 11; failure++) {
      await due()
      await app.pageShield.contents.saveFailure(zoneId, script, 'status')
      const before = app.clock.now()
      while ((await due()).length === 0) app.clock.advance(5 * MINUTE)
      waits.push((app.clock.now() - before) / MINUTE)
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440])
    await app.pageShield.contents.saveFetch(zoneId, script, content('a'))
    expect(await app.must('GET', own(`/scripts/${script}/contents`))).toMatchObject({ failures: 0 })
  })

  test('unchanged content adds no version; changed content does; ten versions are kept', async () => {
    const { script } = await seeded('versions.example')
    const save = (digit: string, score?: number) =>
      app.pageShield.contents.saveFetch(zoneId, script, content(digit, score))
    await save('0')
    await save('0', 40)
    type Detail = { versions: { hash: string; js_integrity_score: number }[] }
    const detail = () => app.must<Detail>('GET', path(`/scripts/${script}`))
    expect((await detail()).versions).toMatchObject([{ hash: hex('0'), js_integrity_score: 40 }])
    for (const digit of '123456789ab') await save(digit)
    expect((await detail()).versions.map(({ hash }) => hash[0]).join('')).toBe('ba98765432')
    expect((await eventKinds()).filter((kind) => kind === 'script.changed')).toHaveLength(11)
  })

  test('a low score and a feed make it malicious, each transition is an event; malicious ones come first', async () => {
    const { script, connection } = await seeded('malice.example')
    const { contents } = app.pageShield
    await app.must('POST', own('/observations'), {
      observations: views(3, { page_url: 'https://malice.example/', scripts: ['https://z.example/z.js'] }),
    })
    await contents.saveFetch(zoneId, script, content('a', 10))
    await contents.saveFetch(zoneId, script, content('a', 9))
    const unchecked = await contents.dueForCheck(1, 10)
    expect(unchecked).toHaveLength(3)
    await contents.markReported(1, [
      { id: script, zoneId, domainCategories: null, urlCategories: ['Malware'] },
      { id: connection, zoneId, domainCategories: ['Phishing', 'Spyware'], urlCategories: null },
    ])
    expect((await contents.dueForCheck(1, 10)).map(({ id }) => id)).not.toContain(script)
    const first = await app.must('GET', path('/scripts?prioritize_malicious=true&order_by=first_seen_at'))
    expect(first).toMatchObject([
      {
        id: script,
        domain_reported_malicious: false,
        url_reported_malicious: true,
        malicious_url_categories: ['Malware'],
      },
      { url: 'https://z.example/z.js', url_reported_malicious: false },
    ])
    expect(first).not.toHaveProperty([0, 'malicious_domain_categories'])
    expect(await app.must('GET', path(`/connections/${connection}`))).toMatchObject({
      domain_reported_malicious: true,
      malicious_domain_categories: ['Phishing', 'Spyware'],
      url_reported_malicious: false,
      malicious_url_categories: [],
    })
    await contents.clearReported(2, [
      { id: script, zoneId },
      { id: connection, zoneId },
    ])
    await contents.saveFetch(zoneId, script, content('a', 90))
    expect((await eventKinds()).slice(3)).toEqual([
      'script.reported',
      'connection.reported',
      'connection.cleared',
      'script.cleared',
    ])
    const after = await app.must('GET', path(`/connections/${connection}`))
    expect(after).not.toHaveProperty('malicious_domain_categories')
  })

  test('a malicious verdict is not cleared by content without scores, unchanged or changed', async () => {
    const { script } = await seeded('kept.example')
    const save = (digit: string, score: number | null) =>
      app.pageShield.contents.saveFetch(zoneId, script, {
        ...content(digit),
        contentSha256: hex(digit).replace(/^./, score === null ? 'e' : digit),
        scores: score === null ? NO_SCORES : { ...NO_SCORES, jsIntegrity: score },
        memory: { analysis: 1, unscored: score === null ? 'long' : null, validators: null },
      })
    const detail = () => app.must<Record<string, unknown>>('GET', path(`/scripts/${script}`))
    const explained = () => app.must('GET', own(`/scripts/${script}/explanation`))
    await save('a', 4)
    await save('a', null)
    expect(await detail()).toMatchObject({ js_integrity_score: 4, versions: [{ js_integrity_score: 4 }] })
    expect(await explained()).toMatchObject({
      malicious: true,
      because: ['js_integrity_score'],
      analysis: 'too_long',
      reasons: [expect.stringMatching(/earlier, malicious content/), 'because of a'],
    })
    await save('b', null)
    expect(await detail()).toMatchObject({
      hash: hex('b'),
      js_integrity_score: 4,
      versions: [{ js_integrity_score: null }, { js_integrity_score: 4 }],
    })
    await save('c', null)
    expect(await explained()).toMatchObject({ malicious: true, js_integrity_score: 4 })
    expect(await eventKinds()).not.toContain('script.cleared')
    await save('c', 60)
    expect(await explained()).toMatchObject({
      malicious: false,
      analysis: 'scored',
      reasons: ['because of c'],
    })
    expect((await eventKinds()).slice(2)).toEqual([
      'script.reported',
      'script.bytes_changed',
      'script.changed',
      'script.changed',
      'script.bytes_changed',
      'script.cleared',
    ])
    // A script that was not malicious then has no scores, not the old ones.
    await save('d', null)
    expect(await detail()).toMatchObject({ js_integrity_score: null })
    expect(await explained()).toMatchObject({ malicious: false })
  })

  test('content nested too deeply to parse is logged once', async () => {
    const { script } = await seeded('deep.example')
    const save = (digit: string, unscored: 'deep' | 'none') =>
      app.pageShield.contents.saveFetch(zoneId, script, {
        ...content(digit),
        scores: NO_SCORES,
        memory: { analysis: 1, unscored, validators: null },
      })
    await save('a', 'deep')
    await save('a', 'deep')
    expect((await eventKinds()).slice(2)).toEqual(['script.analysis_ended'])
    expect(await app.must('GET', own(`/scripts/${script}/contents`))).toMatchObject({ analysis: 'too_deep' })
    await save('b', 'none')
    expect((await eventKinds()).slice(2)).toEqual(['script.analysis_ended', 'script.changed'])
    expect(await app.must('GET', own(`/scripts/${script}/contents`))).toMatchObject({ analysis: 'no_script' })
  })

  test('duplicates: the latest of the same content from the same host', async () => {
    const { script } = await seeded('double.example')
    app.clock.advance(1000)
    const page_url = 'https://double.example/'
    const scripts = ['https://cdn.example.net/copy.js', 'https://other.example.net/a.js']
    await app.must('POST', own('/observations'), { observations: views(3, { page_url, scripts }) })
    type Line = { id: string; url: string }
    const all = await app.must<Line[]>('GET', path('/scripts?exclude_duplicates=false'))
    expect(all).toHaveLength(3)
    for (const { id } of all) await app.pageShield.contents.saveFetch(zoneId, id, content('c'))
    const shown = await app.call<Line[]>({ method: 'GET', path: path('/scripts') })
    expect(shown.json.result.map(({ url }) => url).toSorted()).toEqual(scripts)
    expect(shown.json.result_info).toMatchObject({ total_count: 2 })
    // A filter that only the older script matches shows it.
    const older = await app.must<Line[]>('GET', path('/scripts?urls=net/a.js&hosts=double.example'))
    expect(older.map(({ id }) => id)).toContain(script)
  })

  test('hashes reported by browsers are stored; unknown content is fetched soon, at a limited rate', async () => {
    const { script } = await seeded('hashes.example')
    const { contents, detections } = app.pageShield
    await due()
    await contents.saveFetch(zoneId, script, content('a'))
    const detection = (hash: string): Detection => ({
      zoneId,
      kind: 'script',
      host: 'hashes.example',
      url: 'https://cdn.example.net/a.js',
      urlHost: 'cdn.example.net',
      hasCdnCgi: false,
      pageUrls: ['hashes.example/'],
      seenAt: wholeSeconds(app.clock.now()),
      pageViews: 0,
      browserHashes: [hash],
      reporters: null,
    })
    const fetched = `sha256-${Buffer.from(hex('a'), 'hex').toString('base64')}`
    await detections.record([detection(fetched)])
    expect(await due()).toEqual([])
    await detections.record([detection('sha256-another=')])
    expect(await due()).toEqual([])
    app.clock.advance(10 * MINUTE)
    expect(await due()).toEqual([script])
    await contents.saveFetch(zoneId, script, content('a'))
    await detections.record([detection('sha256-third=')])
    app.clock.advance(10 * MINUTE - 1000)
    await detections.record([detection('sha256-fourth=')])
    expect(await due()).toEqual([])
    app.clock.advance(1000)
    expect(await due()).toEqual([script])
    // A script that cannot be fetched is retried only after its backoff, whatever is reported.
    for (let failure = 0; failure < 3; failure += 1) await contents.saveFailure(zoneId, script, 'status')
    app.clock.advance(10 * MINUTE)
    await detections.record([detection('sha256-fifth=')])
    expect(await due()).toEqual([])
    app.clock.advance(10 * MINUTE)
    expect(await due()).toEqual([script])
    for (let count = 0; count < 30; count++) {
      app.clock.advance(1000)
      await detections.record([detection(`sha256-${count}`), detection(fetched)])
    }
    const { browser_hashes } = await app.must<{ browser_hashes: { hash: string; fetched: boolean }[] }>(
      'GET',
      own(`/scripts/${script}/contents`),
    )
    expect(browser_hashes).toHaveLength(20)
    expect(browser_hashes.filter((one) => one.fetched)).toMatchObject([{ hash: fetched }])
    // The least recently reported ones were evicted.
    const others = browser_hashes.filter((one) => !one.fetched).map(({ hash }) => hash)
    expect(new Set(others)).toEqual(new Set(Array.from({ length: 19 }, (_, n) => `sha256-${n + 11}`)))
  })

  test('other octets with the same structure are an event, not a version', async () => {
    const { script } = await seeded('octets.example')
    const save = (sha256: string) =>
      app.pageShield.contents.saveFetch(zoneId, script, { ...content('a'), contentSha256: hex(sha256) })
    for (const sha256 of ['1', '1', '2']) await save(sha256)
    type Event = { kind: string }
    const events = await app.must<Event[]>('GET', own('/events'))
    expect(events.filter(({ kind }) => kind.endsWith('changed'))).toMatchObject([
      { kind: 'script.bytes_changed', resource_id: script, previous_hash: hex('1'), hash: hex('2') },
    ])
    const { hash, versions } = await app.must<{ hash: string; versions: unknown[] }>(
      'GET',
      path(`/scripts/${script}`),
    )
    expect([hash, versions.length]).toEqual([hex('a'), 1])
  })

  test('content that browsers ran but was never fetched is an event once, after a fetch could have found it', async () => {
    const { script } = await seeded('unfetched.example')
    const { contents, detections } = app.pageShield
    const ran = (...browserHashes: string[]) =>
      detections.record([
        {
          zoneId,
          kind: 'script',
          hasCdnCgi: false,
          host: 'unfetched.example',
          url: 'https://cdn.example.net/a.js',
          urlHost: 'cdn.example.net',
          pageUrls: ['unfetched.example/'],
          seenAt: wholeSeconds(app.clock.now()),
          pageViews: 0,
          browserHashes,
          reporters: null,
        },
      ])
    const reportedEvents = async () => {
      const events = await app.must<{ kind: string; hash: string }[]>('GET', own('/events'))
      return events.flatMap(({ kind, hash }) => (kind === 'script.unfetched' ? [hash] : []))
    }
    const asReported = (digit: string) => `sha256-${Buffer.from(hex(digit), 'hex').toString('base64')}`
    await ran(asReported('1'), 'sha256-x')
    await contents.saveFailure(zoneId, script, 'status')
    expect(await reportedEvents()).toEqual([])
    await contents.saveFetch(zoneId, script, { ...content('a'), contentSha256: hex('1') })
    expect(await reportedEvents()).toEqual(['sha256-x'])
    // Content that was fetched once and replaced stays known.
    await contents.saveFetch(zoneId, script, { ...content('a'), contentSha256: hex('2') })
    await ran(asReported('1'), 'sha256-x')
    await contents.saveUnchanged(zoneId, script)
    expect(await reportedEvents()).toEqual(['sha256-x'])
    await ran('sha256-y')
    await contents.saveFailure(zoneId, script, 'status')
    expect(await reportedEvents()).toEqual(['sha256-y', 'sha256-x'])
  })

  test('nothing is stored for a deleted script', async () => {
    const { contents } = app.pageShield
    const { script } = await seeded('gone.example')
    await app.must('DELETE', `/zones/${zoneId}`)
    expect(await contents.saveFetch(zoneId, script, content('a'))).toBe(false)
    expect(await contents.saveFailure(zoneId, script, 'status')).toBe(false)
    await contents.markReported(1, [
      { id: script, zoneId, domainCategories: null, urlCategories: ['Malware'] },
    ])
    expect(await app.pageShield.detections.record([])).toEqual(new Map())
    expect(await due()).toEqual([])
  })

  test('a script of another zone is not found under this one', async () => {
    const { script } = await seeded('mine.example')
    const other = await app.must('POST', '/zones', { name: 'theirs.example' })
    const answer = await app.call({ method: 'GET', path: `/zones/${other.id}/page_shield/scripts/${script}` })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([404, 19621])
  })
})
