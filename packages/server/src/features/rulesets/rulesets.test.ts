// Rulesets over HTTP: what is made, changed, moved and deleted, and that nothing else happens.
import { scenarios, type Send } from '../../testing/scenarios.ts'

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
    name: 'there is none at first',
    send: get(ENTRY),
    expect: { status: 404, codes: [10003], text: `could not find entrypoint ruleset in the ${CUSTOM} phase` },
  },
  {
    name: 'a phase that does not exist',
    send: get(`${ALL}/phases/http_request/entrypoint`),
    expect: { status: 400, codes: [19534] },
  },
  {
    name: 'one is made by putting it',
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
    name: 'without rules, as an empty one',
    send: put({ name: 'empty', description: 'nothing yet' }),
    expect: { status: 200, changes: 1, result: { name: 'empty', description: 'nothing yet', rules: [] } },
  },
  {
    name: 'put again, as it is: no version, no change',
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
    name: 'a description alone leaves the rules',
    before: [entry(2)],
    send: put({ description: 'two' }),
    expect: { status: 200, changes: 1, result: { description: 'two', version: '2', ...paths('/0', '/1') } },
  },
  {
    name: 'no rules take all of them away',
    before: [entry(2)],
    send: put({ rules: [] }),
    expect: { status: 200, changes: 1, result: { version: '2', rules: [] } },
  },
  {
    name: 'rules without id or ref are new ones',
    before: [entry(1)],
    send: put({ rules: [block('/new')] }),
    expect: { status: 200, changes: 1, result: { version: '2', rules: [{ version: '1' }] } },
  },
  {
    name: 'neither kind nor phase may be said',
    send: put({ kind: 'zone', phase: CUSTOM, rules: [] }),
    expect: {
      status: 400,
      codes: [19533, 19533],
      pointers: ['/kind', '/phase'],
      text: 'invalid JSON: unknown field \\"kind\\"',
    },
  },
  {
    name: 'what only replies tell is not looked at',
    send: put({
      id: '',
      version: '7',
      last_updated: '2020-01-01T00:00:00Z',
      rules: [block('/a', { id: '', ref: '', version: '' })],
    }),
    expect: { status: 200, changes: 1, result: { version: '1', rules: [{ version: '1' }] } },
  },
  {
    name: 'null is as left out',
    send: put({
      name: null,
      description: null,
      rules: [block('/a', { description: null, ref: null, logging: null })],
    }),
    expect: { status: 200, changes: 1, result: { name: 'default' } },
  },
  {
    name: 'versions of one that does not exist: none',
    send: get(`${ENTRY}/versions`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'a version of one that does not exist',
    send: get(`${ENTRY}/versions/1`),
    expect: { status: 404, codes: [10003] },
  },
  {
    name: 'a second one is not created beside it',
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
    name: 'the option of the migration is refused by name',
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
    name: 'created with nothing: everything that is missing is told',
    send: post({}),
    expect: { status: 400, codes: [19529, 19529, 19529], pointers: ['/name', '/kind', '/phase'] },
  },
  {
    name: 'kinds of an account and of the program are not for zones',
    send: post({ name: 'mine', kind: 'root', phase: CUSTOM }),
    expect: { status: 400, codes: [19535], pointers: ['/kind'] },
  },
  {
    name: 'a phase that zones have no rules for',
    send: post({ name: 'mine', kind: 'zone', phase: 'magic_transit' }),
    expect: { status: 400, codes: [50002], text: 'not entitled to use the phase magic_transit' },
  },
  { name: 'a list is no ruleset', send: post([]), expect: { status: 400, codes: [6008] } },
  {
    name: 'got by its id',
    before: [entry(1)],
    send: get(one()),
    expect: { status: 200, result: paths('/0') },
  },
  { name: 'one that does not exist', send: get(`${ALL}/${gone}`), expect: { status: 404, codes: [10001] } },
  { name: 'an id that is none', send: get(`${ALL}/mine`), expect: { status: 400, codes: [7003] } },
  {
    name: 'a zone that does not exist',
    send: get(`/zones/${gone}/rulesets`),
    expect: { status: 404, codes: [1001] },
  },
  {
    name: 'put with its kind and phase, as it was got',
    before: [entry(1)],
    send: put({ kind: 'zone', phase: CUSTOM, description: 'x' }, one()),
    expect: { status: 200, changes: 1, result: { description: 'x', version: '2' } },
  },
  {
    name: 'its kind and phase do not change',
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
    name: 'a custom ruleset that is executed is not deleted',
    before: [
      { ...post({ name: 'mine', kind: 'custom', phase: CUSTOM, rules: [block('/a')] }), as: 'entry' },
      put({ rules: [{ action: 'execute', expression: 'true', action_parameters: { id: '{entry}' } }] }),
    ],
    send: remove(one()),
    expect: { status: 400, codes: [19522] },
  },
  {
    name: 'names that everything knows are members like others',
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
    name: `no place: ${JSON.stringify(position)}`,
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
    name: 'moved to where it is: no change',
    before: [entry(3)],
    send: { method: 'PATCH', path: one('/rules/{entry.1}'), body: { position: { index: 2 } } },
    expect: { status: 200, result: { version: '1' } },
  },
  {
    name: 'a rule is not placed by itself',
    before: [entry(3)],
    send: { method: 'PATCH', path: one('/rules/{entry.1}'), body: { position: { before: '{entry.1}' } } },
    expect: { status: 400, codes: [19527], pointers: ['/position'] },
  },
  {
    name: 'replaced: its version counts, those of others do not',
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
    name: 'replaced by what it is: no change',
    before: [entry(1)],
    send: {
      method: 'PATCH',
      path: one('/rules/{entry.0}'),
      body: { expression: 'http.request.uri.path eq "/0"', action: 'block' },
    },
    expect: { status: 200, result: { version: '1' } },
  },
  {
    name: 'the whole rule has to be given',
    before: [entry(1)],
    send: { method: 'PATCH', path: one('/rules/{entry.0}'), body: { description: 'only this' } },
    expect: { status: 400, codes: [19529, 20125], pointers: ['/action', '/expression'] },
  },
  {
    name: 'another id than that of the path',
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

scenarios('which rule is which, over a put', [
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
    name: 'by its id, which is also its ref',
    before: [entry(2)],
    send: put({ rules: [block('/1', { ref: '{entry.1}' }), block('/0', { id: '{entry.0}' })] }),
    expect: { status: 200, changes: 1, result: { rules: [{ version: '1' }, { version: '1' }] } },
  },
  {
    name: 'with its id it may get another ref',
    before: [entry(1)],
    send: put({ rules: [block('/0', { id: '{entry.0}', ref: 'mine' })] }),
    expect: { status: 200, changes: 1, result: { rules: [{ version: '2', ref: 'mine' }] } },
  },
  {
    name: 'one that was taken away comes back by its id',
    before: [entry(1), put({ rules: [] })],
    send: put({ rules: [block('/0', { id: '{entry.0}' })] }),
    expect: { status: 200, changes: 1, result: { version: '3', rules: [{ version: '1' }] } },
  },
  {
    name: 'an id that the ruleset never had',
    before: [entry(1)],
    send: put({ rules: [block('/0', { id: gone })] }),
    expect: { status: 400, codes: [19530], pointers: ['/rules/0/id'] },
  },
  {
    name: 'no ref twice',
    send: put({ rules: [block('/a', { ref: 'mine' }), block('/b', { ref: 'mine' })] }),
    expect: { status: 400, codes: [19535], pointers: ['/rules/1/ref'] },
  },
  {
    name: 'no id twice',
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
    name: 'an old one is as it was',
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
    name: 'rules of a deleted version that others have stay',
    before: [...threeVersions, remove(one('/versions/1'))],
    send: get(one('/versions/2')),
    expect: { status: 200, result: paths('/0') },
  },
  {
    name: 'a deleted one is gone',
    before: [...threeVersions, remove(one('/versions/2'))],
    send: get(one('/versions/2')),
    expect: { status: 404, codes: [19537] },
  },
  {
    name: 'its number is not given again',
    before: [...threeVersions, remove(one('/versions/2'))],
    send: put({ description: 'fourth' }),
    expect: { status: 200, changes: 1, result: { version: '4' } },
  },
  {
    name: 'the present one is not deleted',
    before: threeVersions,
    send: remove(one('/versions/3')),
    expect: { status: 400, codes: [19536] },
  },
])

scenarios('managed rulesets', [
  {
    name: 'are listed first, by the names that clients know',
    before: [entry(1)],
    send: get(ALL),
    expect: {
      status: 200,
      result: [
        { id: MANAGED, name: 'Cloudflare Managed Ruleset', kind: 'managed' },
        { id: OWASP, name: 'Cloudflare OWASP Core Ruleset', kind: 'managed' },
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
    name: 'have no other version',
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
    name: `are not changed: ${send.method} ${send.path}`,
    send,
    expect: { status: 400, codes: [19523] },
  })),
])
