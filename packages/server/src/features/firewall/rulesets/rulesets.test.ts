// Rulesets over HTTP: creating, changing, moving and deleting, without side effects.
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const CUSTOM = 'http_request_firewall_custom'
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'

const ALL = '/zones/{zone}/rulesets'
const ENTRY = `${ALL}/phases/${CUSTOM}/entrypoint`
const block = (path: string, more: object = {}) => ({
  action: 'block',
  expression: `http.request.uri.path eq "${path}"`,
  ...more,
})
const put = (body: object, path = ENTRY): Send => ({ method: 'PUT', path, body })
const post = (body: object, path = ALL): Send => ({ method: 'POST', path, body })
const get = (path: string): Send => ({ method: 'GET', path })
const remove = (path: string): Send => ({ method: 'DELETE', path })
/** An entry point with rules for /0, /1 and so on: `{entry}` and `{entry.0}`. */
const entry = (count: number): Send => ({
  ...put({ rules: Array.from({ length: count }, (_, index) => block(`/${index}`)) }),
  as: 'entry',
})
const one = (more = '') => `${ALL}/{entry}${more}`
const gone = 'f'.repeat(32)
const paths = (...order: readonly string[]) => ({
  rules: order.map((path) => ({ expression: `http.request.uri.path eq "${path}"` })),
})

scenarios('entry points', [
  {
    name: 'there is none in a new zone',
    send: get(ENTRY),
    expect: { status: 404, codes: [10003], text: `could not find entrypoint ruleset in the ${CUSTOM} phase` },
  },
  {
    name: 'a phase that does not exist',
    send: get(`${ALL}/phases/http_request/entrypoint`),
    expect: { status: 400, codes: [19534] },
  },
  {
    name: 'PUT creates one',
    send: put({ rules: [block('/a')] }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        name: 'default',
        description: '',
        kind: 'zone',
        phase: CUSTOM,
        version: '1',
        rules: [{ version: '1', action: 'block', enabled: true }],
      },
    },
  },
  {
    name: 'without rules it is created empty',
    send: put({ name: 'empty', description: 'nothing yet' }),
    expect: { status: 200, changes: 1, result: { name: 'empty', description: 'nothing yet', rules: [] } },
  },
  {
    name: 'PUT again without changes: no version, no change set',
    before: [entry(2)],
    send: put({
      rules: [
        { id: '{entry.0}', ...block('/0') },
        { id: '{entry.1}', ...block('/1') },
      ],
    }),
    expect: { status: 200, result: { version: '1' } },
  },
  {
    name: 'only a description keeps the rules',
    before: [entry(2)],
    send: put({ description: 'two' }),
    expect: { status: 200, changes: 1, result: { description: 'two', version: '2', ...paths('/0', '/1') } },
  },
  {
    name: 'an empty list removes all rules',
    before: [entry(2)],
    send: put({ rules: [] }),
    expect: { status: 200, changes: 1, result: { version: '2', rules: [] } },
  },
  {
    name: 'rules without ID or ref are new ones',
    before: [entry(1)],
    send: put({ rules: [block('/new')] }),
    expect: { status: 200, changes: 1, result: { version: '2', rules: [{ version: '1' }] } },
  },
  {
    name: 'neither kind nor phase may be sent',
    send: put({ kind: 'zone', phase: CUSTOM, rules: [] }),
    expect: {
      status: 400,
      codes: [19533, 19533],
      pointers: ['/kind', '/phase'],
      text: 'invalid JSON: unknown field \\"kind\\"',
    },
  },
  {
    name: 'read-only members are ignored',
    send: put({
      id: '',
      version: '7',
      last_updated: '2020-01-01T00:00:00Z',
      rules: [block('/a', { id: '', ref: '', version: '' })],
    }),
    expect: { status: 200, changes: 1, result: { version: '1', rules: [{ version: '1' }] } },
  },
  {
    name: 'null counts as not sent',
    send: put({
      name: null,
      description: null,
      rules: [block('/a', { description: null, ref: null, logging: null })],
    }),
    expect: { status: 200, changes: 1, result: { name: 'default' } },
  },
  {
    name: 'versions of one that does not exist: an empty list',
    send: get(`${ENTRY}/versions`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'a version of one that does not exist',
    send: get(`${ENTRY}/versions/1`),
    expect: { status: 404, codes: [10003] },
  },
  {
    name: 'a second one cannot be created',
    before: [entry(1)],
    send: post({ name: 'second', kind: 'zone', phase: CUSTOM }),
    expect: {
      status: 400,
      codes: [20217],
      pointers: ['/kind'],
      text: `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${CUSTOM}`,
    },
  },
  {
    name: 'the option of the migration is rejected by name',
    send: put({ rules: [] }, `${ENTRY}?waf_migration=pending`),
    expect: { status: 400, codes: [19538], pointers: ['/waf_migration'] },
  },
])

scenarios('rulesets', [
  {
    name: 'created with everything',
    send: post({ name: 'mine', description: 'all', kind: 'custom', phase: CUSTOM, rules: [block('/a')] }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        name: 'mine',
        description: 'all',
        kind: 'custom',
        phase: CUSTOM,
        version: '1',
        ...paths('/a'),
      },
    },
  },
  {
    name: 'created with nothing: all missing members are reported',
    send: post({}),
    expect: { status: 400, codes: [19529, 19529, 19529], pointers: ['/name', '/kind', '/phase'] },
  },
  {
    name: 'zones cannot have rulesets of account or managed kinds',
    send: post({ name: 'mine', kind: 'root', phase: CUSTOM }),
    expect: { status: 400, codes: [19535], pointers: ['/kind'] },
  },
  {
    name: 'a phase that is not for zones',
    send: post({ name: 'mine', kind: 'zone', phase: 'magic_transit' }),
    expect: { status: 400, codes: [50002], text: 'not entitled to use the phase magic_transit' },
  },
  { name: 'a list is not a ruleset', send: post([]), expect: { status: 400, codes: [6008] } },
  {
    name: 'read by its ID',
    before: [entry(1)],
    send: get(one()),
    expect: { status: 200, result: paths('/0') },
  },
  { name: 'one that does not exist', send: get(`${ALL}/${gone}`), expect: { status: 404, codes: [10001] } },
  { name: 'an invalid ID', send: get(`${ALL}/mine`), expect: { status: 400, codes: [7003] } },
  {
    name: 'a zone that does not exist',
    send: get(`/zones/${gone}/rulesets`),
    expect: { status: 404, codes: [1001] },
  },
  {
    name: 'PUT with its kind and phase, as it was returned',
    before: [entry(1)],
    send: put({ kind: 'zone', phase: CUSTOM, description: 'x' }, one()),
    expect: { status: 200, changes: 1, result: { description: 'x', version: '2' } },
  },
  {
    name: 'its kind and phase cannot be changed',
    before: [entry(1)],
    send: put({ kind: 'custom', phase: 'http_ratelimit' }, one()),
    expect: { status: 400, codes: [19535, 19535], pointers: ['/kind', '/phase'] },
  },
  { name: 'deleted', before: [entry(1)], send: remove(one()), expect: { status: 204, changes: 1 } },
  {
    name: 'deleting one that does not exist',
    send: remove(`${ALL}/${gone}`),
    expect: { status: 404, codes: [10001] },
  },
  {
    name: 'a custom ruleset that is executed cannot be deleted',
    before: [
      { ...post({ name: 'mine', kind: 'custom', phase: CUSTOM, rules: [block('/a')] }), as: 'entry' },
      put({ rules: [{ action: 'execute', expression: 'true', action_parameters: { id: '{entry}' } }] }),
    ],
    send: remove(one()),
    expect: { status: 400, codes: [19522] },
  },
  {
    name: 'names of object prototypes are members like others',
    send: post({ name: 'mine', kind: 'custom', phase: 'toString', rules: [], constructor: 1 }),
    expect: { status: 400, codes: [19533, 19534] },
  },
])

scenarios('rules', [
  {
    name: 'added at the end',
    before: [entry(2)],
    send: post(block('/x'), one('/rules')),
    expect: { status: 200, changes: 1, result: { version: '2', ...paths('/0', '/1', '/x') } },
  },
  ...(
    [
      [{ before: '' }, ['/x', '/0', '/1']],
      [{ before: '{entry.1}' }, ['/0', '/x', '/1']],
      [{ after: '{entry.0}' }, ['/0', '/x', '/1']],
      [{ after: '' }, ['/0', '/1', '/x']],
      [{ index: 1 }, ['/x', '/0', '/1']],
      [{ index: 3 }, ['/0', '/1', '/x']],
    ] as const
  ).map(([position, order]) => ({
    name: `added with ${JSON.stringify(position)}`,
    before: [entry(2)],
    send: post(block('/x', { position }), one('/rules')),
    expect: { status: 200, changes: 1, result: paths(...order) },
  })),
  ...[
    {},
    { index: 0 },
    { index: 4 },
    { index: 1.5 },
    { index: '1' },
    { before: gone },
    { after: 5 },
    1,
    { before: '', after: '' },
    { first: true },
  ].map((position) => ({
    name: `invalid position: ${JSON.stringify(position)}`,
    before: [entry(2)],
    send: post(block('/x', { position }), one('/rules')),
    expect: { status: 400, codes: [19527], pointers: ['/position'] },
  })),
  ...(
    [
      [{ before: '' }, 2, ['/2', '/0', '/1']],
      [{ after: '{entry.2}' }, 0, ['/1', '/2', '/0']],
      [{ index: 2 }, 0, ['/1', '/0', '/2']],
    ] as const
  ).map(([position, index, order]) => ({
    name: `moved with ${JSON.stringify(position)}: the rule keeps its version`,
    before: [entry(3)],
    send: { method: 'PATCH', path: one(`/rules/{entry.${index}}`), body: { position } },
    expect: {
      status: 200,
      changes: 1,
      result: {
        version: '2',
        rules: order.map((path) => ({ version: '1', expression: `http.request.uri.path eq "${path}"` })),
      },
    },
  })),
  {
    name: 'moved to its current place: no change',
    before: [entry(3)],
    send: { method: 'PATCH', path: one('/rules/{entry.1}'), body: { position: { index: 2 } } },
    expect: { status: 200, result: { version: '1' } },
  },
  {
    name: 'a rule cannot be placed relative to itself',
    before: [entry(3)],
    send: { method: 'PATCH', path: one('/rules/{entry.1}'), body: { position: { before: '{entry.1}' } } },
    expect: { status: 400, codes: [19527], pointers: ['/position'] },
  },
  {
    name: 'replaced: its version increases, those of others do not',
    before: [entry(2)],
    send: { method: 'PATCH', path: one('/rules/{entry.1}'), body: block('/y', { description: 'new' }) },
    expect: {
      status: 200,
      changes: 1,
      result: { version: '2', rules: [{ version: '1' }, { version: '2', description: 'new' }] },
    },
  },
  {
    name: 'replaced and moved at once',
    before: [entry(2)],
    send: { method: 'PATCH', path: one('/rules/{entry.1}'), body: block('/y', { position: { index: 1 } }) },
    expect: { status: 200, changes: 1, result: paths('/y', '/0') },
  },
  {
    name: 'replaced without changes: no change set',
    before: [entry(1)],
    send: {
      method: 'PATCH',
      path: one('/rules/{entry.0}'),
      body: { expression: 'http.request.uri.path eq "/0"', action: 'block' },
    },
    expect: { status: 200, result: { version: '1' } },
  },
  {
    name: 'the whole rule must be sent',
    before: [entry(1)],
    send: { method: 'PATCH', path: one('/rules/{entry.0}'), body: { description: 'only this' } },
    expect: { status: 400, codes: [19529, 20125], pointers: ['/action', '/expression'] },
  },
  {
    name: 'an ID that differs from the path',
    before: [entry(2)],
    send: { method: 'PATCH', path: one('/rules/{entry.0}'), body: block('/y', { id: '{entry.1}' }) },
    expect: { status: 400, codes: [19535], pointers: ['/id'] },
  },
  {
    name: 'the ref of another rule',
    before: [entry(2)],
    send: { method: 'PATCH', path: one('/rules/{entry.0}'), body: block('/y', { ref: '{entry.1}' }) },
    expect: { status: 400, codes: [19535], pointers: ['/ref'] },
  },
  {
    name: 'a rule that does not exist',
    before: [entry(1)],
    send: { method: 'PATCH', path: one(`/rules/${gone}`), body: block('/y') },
    expect: { status: 404, codes: [19531] },
  },
  {
    name: 'deleted',
    before: [entry(3)],
    send: remove(one('/rules/{entry.1}')),
    expect: { status: 200, changes: 1, result: { version: '2', ...paths('/0', '/2') } },
  },
  {
    name: 'deleting one that does not exist',
    before: [entry(1)],
    send: remove(one(`/rules/${gone}`)),
    expect: { status: 404, codes: [19531] },
  },
  {
    name: 'in a ruleset that does not exist',
    send: post(block('/x'), `${ALL}/${gone}/rules`),
    expect: { status: 404, codes: [10001] },
  },
])

scenarios('identity of rules in a PUT', [
  {
    name: 'by its ref',
    before: [{ ...put({ rules: [block('/a', { ref: 'mine' }), block('/b')] }), as: 'entry' }],
    send: put({ rules: [block('/c'), block('/d', { ref: 'mine' })] }),
    expect: {
      status: 200,
      changes: 1,
      result: { rules: [{ version: '1' }, { version: '2', ref: 'mine' }] },
    },
  },
  {
    name: 'by its ID, which is also its ref',
    before: [entry(2)],
    send: put({ rules: [block('/1', { ref: '{entry.1}' }), block('/0', { id: '{entry.0}' })] }),
    expect: { status: 200, changes: 1, result: { rules: [{ version: '1' }, { version: '1' }] } },
  },
  {
    name: 'with its ID its ref can be changed',
    before: [entry(1)],
    send: put({ rules: [block('/0', { id: '{entry.0}', ref: 'mine' })] }),
    expect: { status: 200, changes: 1, result: { rules: [{ version: '2', ref: 'mine' }] } },
  },
  {
    name: 'a removed one is restored by its ID',
    before: [entry(1), put({ rules: [] })],
    send: put({ rules: [block('/0', { id: '{entry.0}' })] }),
    expect: { status: 200, changes: 1, result: { version: '3', rules: [{ version: '1' }] } },
  },
  {
    name: 'an ID that the ruleset never had',
    before: [entry(1)],
    send: put({ rules: [block('/0', { id: gone })] }),
    expect: { status: 400, codes: [19530], pointers: ['/rules/0/id'] },
  },
  {
    name: 'a ref twice',
    send: put({ rules: [block('/a', { ref: 'mine' }), block('/b', { ref: 'mine' })] }),
    expect: { status: 400, codes: [19535], pointers: ['/rules/1/ref'] },
  },
  {
    name: 'an ID twice',
    before: [entry(1)],
    send: put({ rules: [block('/a', { id: '{entry.0}' }), block('/b', { id: '{entry.0}' })] }),
    expect: { status: 400, codes: [19535], pointers: ['/rules/1/id'] },
  },
])

const threeVersions = [entry(1), put({ description: 'second' }), put({ description: 'third' })]
scenarios('versions', [
  {
    name: 'all of them, oldest first',
    before: threeVersions,
    send: get(one('/versions')),
    expect: {
      status: 200,
      result: [{ version: '1' }, { version: '2', description: 'second' }, { version: '3' }],
    },
  },
  {
    name: 'an old one is unchanged',
    before: [entry(1), put({ rules: [] })],
    send: get(one('/versions/1')),
    expect: { status: 200, result: { version: '1', ...paths('/0') } },
  },
  {
    name: 'of an entry point, by its phase',
    before: threeVersions,
    send: get(`${ENTRY}/versions/2`),
    expect: { status: 200, result: { version: '2', description: 'second' } },
  },
  ...['4', '0', 'latest', '1.0', '-1', '1e9'].map((version) => ({
    name: `there is no ${version}`,
    before: threeVersions,
    send: get(one(`/versions/${version}`)),
    expect: { status: 404, codes: [19537] },
  })),
  {
    name: 'an old one is deleted',
    before: threeVersions,
    send: remove(one('/versions/1')),
    expect: { status: 204, changes: 1 },
  },
  {
    name: 'rules of a deleted version that other versions contain stay',
    before: [...threeVersions, remove(one('/versions/1'))],
    send: get(one('/versions/2')),
    expect: { status: 200, result: paths('/0') },
  },
  {
    name: 'a deleted one is unknown',
    before: [...threeVersions, remove(one('/versions/2'))],
    send: get(one('/versions/2')),
    expect: { status: 404, codes: [19537] },
  },
  {
    name: 'its number is not reused',
    before: [...threeVersions, remove(one('/versions/2'))],
    send: put({ description: 'fourth' }),
    expect: { status: 200, changes: 1, result: { version: '4' } },
  },
  {
    name: 'the current one cannot be deleted',
    before: threeVersions,
    send: remove(one('/versions/3')),
    expect: { status: 400, codes: [19536] },
  },
])

scenarios('managed rulesets', [
  {
    name: 'are listed first; without an imported Core Rule Set, the second one has a name that says so',
    before: [entry(1)],
    send: get(ALL),
    expect: {
      status: 200,
      result: [
        { id: MANAGED, name: 'Cloudflare Managed Ruleset', kind: 'managed' },
        { id: OWASP, name: 'Zonereeve OWASP-like Ruleset', kind: 'managed' },
        { name: 'HTTP DDoS Attack Protection', kind: 'managed', phase: 'ddos_l7' },
        { kind: 'zone', phase: CUSTOM },
      ],
    },
  },
  {
    name: 'show their rules without expressions',
    send: get(`${ALL}/${OWASP}`),
    expect: { status: 200, text: /"6179ae15870a4bb7b2d480d4843b323c".*"score_threshold":40/ },
  },
  {
    name: 'have versions',
    send: get(`${ALL}/${MANAGED}/versions`),
    expect: { status: 200, result: [{ version: '1' }] },
  },
  {
    name: 'have only one version',
    send: get(`${ALL}/${MANAGED}/versions/2`),
    expect: { status: 404, codes: [19537] },
  },
  ...[
    put({ rules: [] }, `${ALL}/${MANAGED}`),
    remove(`${ALL}/${MANAGED}`),
    post(block('/a'), `${ALL}/${OWASP}/rules`),
    remove(`${ALL}/${OWASP}/rules/${gone}`),
    remove(`${ALL}/${OWASP}/versions/1`),
    { method: 'PATCH', path: `${ALL}/${OWASP}/rules/${gone}`, body: block('/a') },
  ].map((send) => ({
    name: `cannot be changed: ${send.method} ${send.path}`,
    send,
    expect: { status: 400, codes: [19523] },
  })),
])
