// Rulesets under any sequence of edits: order and identity as in a plain list, and every response can be sent
// back.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

interface WireRule {
  readonly id: string
  readonly version: string
  readonly ref: string
  readonly expression: string
  readonly [member: string]: unknown
}

interface Ruleset {
  readonly id: string
  readonly version: string
  readonly rules: readonly WireRule[]
  readonly [member: string]: unknown
}

/** The identity of a rule. */
interface Remembered {
  readonly id: string
  readonly expression: string
  readonly version: number
}

type Edit =
  | { readonly kind: 'add'; readonly path: string; readonly at: number | undefined }
  | { readonly kind: 'replace'; readonly which: number; readonly path: string }
  | { readonly kind: 'move'; readonly which: number; readonly at: number }
  | { readonly kind: 'remove'; readonly which: number }
  | {
      readonly kind: 'put'
      readonly order: readonly number[]
      readonly path: string | undefined
      readonly by: 'id' | 'ref'
    }

const path = fc.constantFrom('/a', '/b', '/c', '/d')
const place = fc.nat(10)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), path, at: fc.option(place, { nil: undefined }) }),
  fc.record({ kind: fc.constant('replace' as const), which: place, path }),
  fc.record({ kind: fc.constant('move' as const), which: place, at: place }),
  fc.record({ kind: fc.constant('remove' as const), which: place }),
  fc.record({
    kind: fc.constant('put' as const),
    order: fc.uniqueArray(place, { maxLength: 6 }),
    path: fc.option(path, { nil: undefined }),
    by: fc.constantFrom('id' as const, 'ref' as const),
  }),
)

const ruleFor = (text: string) => ({ action: 'block', expression: `http.request.uri.path eq "${text}"` })

describe('rulesets', () => {
  let app: TestApp
  let names = 0
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  async function newEntry(): Promise<{ entry: string; all: string }> {
    const { id } = await app.must('POST', '/zones', { name: `p${(names += 1)}.example` })
    const all = `/zones/${id}/rulesets`
    return { all, entry: `${all}/phases/http_request_firewall_custom/entrypoint` }
  }

  test('keep the order and the ids of their rules through any edits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 12 }), async (edits) => {
        const { entry, all } = await newEntry()
        const { id } = await app.must<Ruleset>('PUT', entry, { rules: [] })
        let model: readonly Remembered[] = []
        let version = 1
        for (const one of edits) {
          const done = await perform(one, model, `${all}/${id}`, entry)
          if (done === undefined) continue
          version += same(model, done.model) ? 0 : 1
          ;({ model } = done)
          expect(done.ruleset.version).toBe(String(version))
          expect(remembered(done.ruleset)).toEqual(model)
        }
        expect(remembered(await app.must<Ruleset>('GET', entry))).toEqual(model)
        const versions = await app.must<Ruleset[]>('GET', `${all}/${id}/versions`)
        expect(versions.map((one) => one.version)).toEqual(
          Array.from({ length: version }, (_, at) => String(at + 1)),
        )
      }),
      { numRuns: 40 },
    )
  })

  async function perform(
    one: Edit,
    model: readonly Remembered[],
    ruleset: string,
    entry: string,
  ): Promise<{ model: readonly Remembered[]; ruleset: Ruleset } | undefined> {
    if (one.kind === 'add') {
      const at = one.at === undefined ? model.length : one.at % (model.length + 1)
      const position = one.at === undefined ? {} : { position: { index: at + 1 } }
      const reply = await app.must<Ruleset>('POST', `${ruleset}/rules`, { ...ruleFor(one.path), ...position })
      const made = reply.rules[at]
      expect(model.map(({ id }) => id)).not.toContain(made?.id)
      const added = { id: made?.id ?? '', expression: ruleFor(one.path).expression, version: 1 }
      return { model: model.toSpliced(at, 0, added), ruleset: reply }
    }
    if (one.kind === 'put') return putAll(one, model, entry)
    const rule = model[one.which % Math.max(1, model.length)]
    if (rule === undefined) return undefined
    const others = model.filter(({ id }) => id !== rule.id)
    if (one.kind === 'remove')
      return { model: others, ruleset: await app.must<Ruleset>('DELETE', `${ruleset}/rules/${rule.id}`) }
    if (one.kind === 'move') {
      const at = one.at % model.length
      const reply = await app.must<Ruleset>('PATCH', `${ruleset}/rules/${rule.id}`, {
        position: { index: at + 1 },
      })
      return { model: others.toSpliced(at, 0, rule), ruleset: reply }
    }
    const reply = await app.must<Ruleset>('PATCH', `${ruleset}/rules/${rule.id}`, ruleFor(one.path))
    return { model: model.map((other) => (other === rule ? changed(rule, one.path) : other)), ruleset: reply }
  }

  async function putAll(one: Extract<Edit, { kind: 'put' }>, model: readonly Remembered[], entry: string) {
    const remaining = one.order.map((at) => model[at]).filter((rule) => rule !== undefined)
    const [first, ...rest] = remaining
    const expected =
      first === undefined ? [] : [one.path === undefined ? first : changed(first, one.path), ...rest]
    const rules = expected.map(({ id, expression }) => ({ [one.by]: id, action: 'block', expression }))
    return { model: expected, ruleset: await app.must<Ruleset>('PUT', entry, { rules }) }
  }

  const changed = (rule: Remembered, text: string): Remembered => {
    const { expression } = ruleFor(text)
    return expression === rule.expression ? rule : { ...rule, expression, version: rule.version + 1 }
  }

  const same = (a: readonly Remembered[], b: readonly Remembered[]): boolean =>
    JSON.stringify(a) === JSON.stringify(b)

  const remembered = ({ rules }: Ruleset): Remembered[] =>
    rules.map(({ id, expression, version }) => ({ id, expression, version: Number(version) }))

  const optional = fc.record(
    {
      description: fc.string({ maxLength: 50 }),
      enabled: fc.boolean(),
      ref: fc.string({ minLength: 1, maxLength: 20 }),
    },
    { requiredKeys: [] },
  )
  const rule = fc.oneof(
    optional.map((more) => ({ action: 'log', expression: 'ssl', ...more })),
    optional.map((more) => ({ action: 'challenge', expression: 'ssl', action_parameters: {}, ...more })),
    fc
      .record({
        status_code: fc.integer({ min: 400, max: 499 }),
        content: fc.string({ minLength: 1 }),
        content_type: fc.string({ minLength: 1 }),
      })
      .map((response) => ({ action: 'block', expression: 'ssl', action_parameters: { response } })),
    fc
      .record(
        { ruleset: fc.constant('current'), products: fc.subarray(['waf', 'bic', 'hot'], { minLength: 1 }) },
        { requiredKeys: ['ruleset'] },
      )
      .chain((parameters) =>
        fc.boolean().map((enabled) => ({
          action: 'skip',
          expression: 'ssl',
          action_parameters: parameters,
          logging: { enabled },
        })),
      ),
  )

  test('a response can be sent back, and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(rule, { maxLength: 6, selector: (one) => ('ref' in one ? one.ref : one) }),
        fc.string({ maxLength: 30 }),
        async (rules, description) => {
          const { entry, all } = await newEntry()
          const made = await app.must<Ruleset>('PUT', entry, { rules, description })
          // Members are returned as they were sent.
          expect(made.rules).toMatchObject(rules)
          const got = await app.must<Ruleset>('GET', entry)
          expect(got).toEqual(made)
          const before = await app.changeCount()
          expect(await app.must('PUT', `${all}/${made.id}`, got)).toEqual(got)
          const { kind: _, phase: __, ...head } = got
          expect(await app.must('PUT', entry, head)).toEqual(got)
          for (const [index, one] of got.rules.entries())
            expect(
              await app.must('PATCH', `${all}/${made.id}/rules/${one.id}`, {
                ...one,
                position: { index: index + 1 },
              }),
            ).toEqual(got)
          expect(await app.changeCount()).toBe(before)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('any JSON is accepted, or rejected with pointers, and never fails', async () => {
    const { entry, all } = await newEntry()
    const { id } = await app.must<Ruleset>('PUT', entry, { rules: [ruleFor('/')] })
    const member = fc.constantFrom(
      'action',
      'expression',
      'action_parameters',
      'ratelimit',
      'logging',
      'ref',
      'id',
      'enabled',
      'position',
      'rules',
    )
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('execute', 'skip', 'block', 'redirect', 'true', 'ssl'),
    )
    const parameters = fc.dictionary(
      fc.constantFrom(
        'id',
        'overrides',
        'ruleset',
        'rules',
        'rulesets',
        'phases',
        'response',
        'from_value',
        'uri',
        'headers',
      ),
      fc.jsonValue(),
    )
    const body = fc.oneof(
      fc.dictionary(member, value),
      fc.record({
        action: fc.constantFrom('execute', 'skip', 'redirect', 'rewrite'),
        expression: fc.constant('ssl'),
        action_parameters: parameters,
      }),
    )
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const tries = [
          ['PUT', entry, { rules: [sent] }],
          ['PUT', entry, sent],
          ['POST', `${all}/${id}/rules`, sent],
        ] as const
        for (const [method, at, given] of tries) {
          const { status, json } = await app.call({ method, path: at, body: given })
          expect([200, 400, 404]).toContain(status)
          if (status === 400) expect(json.errors.length).toBeGreaterThan(0)
        }
      }),
      { numRuns: 60 },
    )
  })
})
