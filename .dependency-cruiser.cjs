// Who may import whom. docs/architecture.md draws the same arrows; this file is the one that fails the check.
// scripts/plant-imports.test.ts plants one bad import for each rule and expects it to be refused.
const S = '^packages/server/src/'
const F = `${S}features/`
/** Packages without input or output, which run in a browser, too. */
const PURE = '^packages/(audit|cooperate|dns|expr|csp|contract|firewall|script-analysis|seclang)/src/'
// *.cases.ts are tables of test cases, imported by tests.
const TEST = '\\.(test|cases)\\.ts$'
const TESTING = `${S}testing/`
/** Modules that use features: they listen, ask or work by themselves. */
const ACTIVE = `${F}dns/(publication|transfers)/|${F}monitoring/(collector|script-fetching)/|${S}jobs/`
/** Each area, with the areas above it, which it may not import. */
const AREAS = {
  changes: 'accounts|zones|dns|firewall|monitoring',
  accounts: 'zones|dns|firewall|monitoring',
  zones: 'dns|firewall|monitoring',
  dns: 'firewall|monitoring',
  firewall: 'dns|monitoring',
  monitoring: 'dns|firewall',
}
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`
const NPM = ['npm', 'npm-dev', 'npm-peer', 'npm-optional', 'npm-bundled', 'npm-no-pkg', 'npm-unknown']
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'Split the shared part out; do not make it lazy.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid(
      'pure-packages-no-node',
      'They run in the browser too: nothing of Node. (The hash of a script is node:crypto so far.)',
      { path: PURE, pathNot: [TEST, '^packages/script-analysis/src/structure\\.ts$'] },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'dns-no-npm',
      'dns is the product: all of it is our own code.',
      { path: '^packages/dns/src/', pathNot: TEST },
      { dependencyTypes: NPM },
    ),
    forbid(
      'cooperate-no-npm',
      'What all packages build on has no dependency.',
      { path: '^packages/cooperate/src/', pathNot: TEST },
      { dependencyTypes: NPM },
    ),
    forbid(
      'csp-no-npm',
      'csp is our own code, for the program and for a browser.',
      { path: '^packages/csp/src/', pathNot: TEST },
      { dependencyTypes: NPM },
    ),
    forbid(
      'expr-one-engine',
      're2js alone: matching in linear time is what keeps a hostile pattern harmless.',
      { path: '^packages/expr/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('re2js') },
    ),
    forbid(
      'seclang-one-engine',
      're2js alone, for the same reason: rules of others are matched in linear time.',
      { path: '^packages/seclang/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('re2js') },
    ),
    forbid(
      'contract-one-builder',
      'typebox alone: schemas are plain JSON Schema with a static type, and it runs anywhere.',
      { path: '^packages/contract/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('typebox') },
    ),
    forbid(
      'script-analysis-one-parser',
      'Parsers of scripts and pages, a printer and a differ alone: what they read is never executed.',
      { path: '^packages/script-analysis/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('meriyah', 'astring', 'diff', 'htmlparser2') },
    ),
    forbid(
      'firewall-no-npm',
      'Decisions are the product: all of it is our own code.',
      { path: '^packages/firewall/src/', pathNot: TEST },
      { dependencyTypes: NPM },
    ),
    forbid(
      'nameserver-one-binding',
      'koffi alone, for batches of UDP messages.',
      { path: '^packages/nameserver/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('koffi') },
    ),
    forbid(
      'pure-packages-stand-alone',
      'audit, cooperate, dns, expr, csp, contract, script-analysis and seclang know neither each other nor the server.',
      { path: '^packages/(audit|cooperate|dns|expr|csp|contract|script-analysis|seclang)/src/' },
      { path: '^packages/', pathNot: '^packages/$1/' },
    ),
    forbid(
      'firewall-imports-expr',
      'Request and configuration in, decision out: the languages and cooperation are all it needs.',
      { path: '^packages/firewall/src/' },
      { path: '^packages/', pathNot: '^packages/(firewall|expr|seclang|cooperate)/' },
    ),
    forbid(
      'nameserver-imports-dns',
      'The nameserver knows zones and messages, not the server that fills it.',
      { path: '^packages/nameserver/src/' },
      { path: '^packages/', pathNot: '^packages/(nameserver|dns|cooperate)/' },
    ),
    forbid(
      'resolver-imports-dns',
      'The resolver knows questions and answers, not what needs them.',
      { path: '^packages/resolver/src/' },
      { path: '^packages/', pathNot: '^packages/(resolver|dns|cooperate)/' },
    ),
    forbid(
      'dns-scan-imports-resolver',
      'A scan asks by the resolver, and knows addresses. Who wants it and what becomes of it is up to the server.',
      { path: '^packages/dns-scan/src/', pathNot: TEST },
      { path: ['^packages/(?!dns-scan/|dns/|resolver/)', '^node_modules/(?!@zonereeve/|ipaddr\\.js/)'] },
    ),
    forbid(
      'transfers-import-nameserver',
      'What primaries and peers say, not where zones and keys are stored.',
      { path: '^packages/transfers/src/', pathNot: TEST },
      {
        path: [
          '^packages/(?!transfers/|nameserver/|dns/|platform/|cooperate/)',
          '^node_modules/(?!@zonereeve/)',
        ],
      },
    ),
    forbid(
      'edge-imports-firewall',
      'The edge decides by the firewall, adds the policies of pages, and reaches the server over HTTP.',
      { path: '^packages/edge/src/' },
      { path: '^packages/', pathNot: '^packages/(edge|certificates|firewall|expr|csp|cooperate)/' },
    ),
    forbid(
      'certificates-one-client',
      'acme-client alone. Who publishes challenges gives the functions for it.',
      { path: '^packages/certificates/src/', pathNot: TEST },
      { path: ['^packages/(?!certificates/|cooperate/)', '^node_modules/(?!@zonereeve/|acme-client/)'] },
    ),
    forbid(
      'edge-one-client',
      'undici for requests to origins, and mmdb-lib for databases of locations.',
      { path: '^packages/edge/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('undici', 'mmdb-lib') },
    ),
    forbid(
      'command-line-uses-the-wire',
      'Commands reach the server over HTTP; they read and check with the pure packages. The platform finds the file of a thread.',
      { path: '^packages/command-line/src/' },
      {
        path: '^packages/',
        pathNot:
          '^packages/(command-line|account-import|contract|dns|expr|firewall|load-test|cooperate|platform|page-scanner|safe-fetch)/',
      },
    ),
    forbid(
      'account-import-uses-the-wire',
      'An import knows the shapes of the API. The command gives it both connections.',
      { path: '^packages/account-import/src/', pathNot: TEST },
      { path: ['^packages/(?!account-import/|contract/)', '^node_modules/(?!@zonereeve/)'] },
    ),
    forbid(
      'load-test-imports-dns',
      'A load test knows queries and answers, not what answers them.',
      { path: '^packages/load-test/src/', pathNot: TEST },
      { path: ['^packages/(?!load-test/|dns/)', '^node_modules/(?!@zonereeve/)'] },
    ),
    forbid(
      'command-line-one-parser',
      'commander alone.',
      { path: '^packages/command-line/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('commander') },
    ),
    forbid(
      'command-line-in-the-entry',
      'Only the entry of the program offers its commands.',
      { path: '^packages/', pathNot: ['^packages/command-line/', `${S}main/cli\\.ts$`] },
      { path: '^packages/command-line/' },
    ),
    forbid(
      'sign-in-known-libraries',
      'Signing in: libraries for one-time codes, passkeys and identity providers, and none besides.',
      { path: '^packages/sign-in/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('otpauth', '@simplewebauthn', 'openid-client') },
    ),
    forbid(
      'sign-in-stands-alone',
      'Signing in knows neither the API nor the server.',
      { path: '^packages/sign-in/src/' },
      { path: '^packages/', pathNot: '^packages/(sign-in|cooperate)/' },
    ),
    forbid(
      'alerts-know-no-events',
      'Deliveries know positions, and e-mails know events as values; where events come from, others know.',
      { path: '^packages/alerts/src/', pathNot: TEST },
      {
        path: [
          '^packages/(?!alerts/|cooperate/|platform/|storage/)',
          '^node_modules/(?!@zonereeve/|nodemailer/)',
        ],
      },
    ),
    forbid(
      'browser-reports-import-platform',
      'Reports of browsers are values from strangers: reading them needs no library and nothing of the server.',
      { path: '^packages/browser-reports/src/', pathNot: TEST },
      { path: ['^packages/(?!browser-reports/|platform/)', '^node_modules/(?!@zonereeve/)'] },
    ),
    forbid(
      'safe-fetch-one-parser',
      'Which addresses may be reached must be understood in one place: a parser of addresses, and the platform.',
      { path: '^packages/safe-fetch/src/', pathNot: TEST },
      {
        path: ['^packages/(?!safe-fetch/|platform/)', '^node_modules/(?!@zonereeve/)'],
        pathNot: npm('ipaddr\\.js'),
      },
    ),
    forbid(
      'page-scanner-imports-safe-fetch',
      'Scans know a browser and permitted addresses, not what records them. (The browser is loaded when it is needed.)',
      { path: '^packages/page-scanner/src/', pathNot: TEST },
      {
        path: ['^packages/(?!page-scanner/|safe-fetch/)', '^node_modules/(?!@zonereeve/)'],
        pathNot: npm('playwright-core'), // its types
      },
    ),
    forbid(
      'backup-stands-alone',
      'Backups know files and SQLite, not the server. The commands give it a connection.',
      { path: '^packages/backup/src/', pathNot: TEST },
      { path: ['^packages/(?!backup/)', 'node_modules'] },
    ),
    forbid(
      'test-control-stands-alone',
      'The control of test servers knows requests and a clock, not the server. The command gives it what it controls.',
      { path: '^packages/test-control/src/', pathNot: TEST },
      { path: ['^packages/(?!test-control/|platform/)', '^node_modules/(?!@zonereeve/|fastify/)'] },
    ),
    forbid(
      'nodes-stand-alone',
      'What nodes ask each other: addresses and positions, not what they are about. The server gives it the rest.',
      { path: '^packages/nodes/src/', pathNot: TEST },
      { path: ['^packages/(?!nodes/)', 'node_modules'] },
    ),
    forbid(
      'report-log-stands-alone',
      'A log of texts: what they say is up to the server.',
      { path: '^packages/report-log/src/', pathNot: TEST },
      { path: ['^packages/(?!report-log/|cooperate/)', 'node_modules/(?!@redis/|@zonereeve/)'] },
    ),
    forbid(
      'doctor-imports-dns',
      'Examinations know files and DNS, not the server. The command gives them its facts.',
      { path: '^packages/doctor/src/', pathNot: TEST },
      { path: ['^packages/(?!doctor/|dns/)', '^node_modules/(?!@zonereeve/)'] },
    ),
    forbid(
      'no-deep-package-imports',
      'Use the package by its index.ts. (Tests may use its tables of cases, and what platform, the log of reports, sign-in and storage have for tests. Recordings are read in browsers, too, which must not load the whole firewall.)',
      { path: '^packages/([^/]+)/' },
      {
        path: '^packages/[^/]+/src/',
        pathNot: [
          '^packages/$1/',
          '^packages/[^/]+/src/index\\.ts$',
          '\\.cases\\.ts$',
          '^packages/(platform|report-log|sign-in|storage)/src/testing/',
          '^packages/firewall/src/recorded-requests\\.ts$',
        ],
      },
    ),
    forbid(
      'packages-import-packages',
      'Scripts, benchmarks and acceptance tests use the packages, not the other way round (tests may use scripts/).',
      { path: '^packages/', pathNot: TEST },
      { path: '^(scripts|acceptance|bench|fixtures|examples)/' },
    ),
    forbid(
      'area-by-its-index',
      'Another area is entered through its index.ts only.',
      { path: `${F}([^/]+)/` },
      { path: `${F}[^/]+/`, pathNot: [`${F}$1/`, `${F}[^/]+/index\\.ts$`] },
    ),
    forbid(
      'noun-by-its-index',
      'Another noun of the area is entered through its index.ts only.',
      { path: `${F}([^/]+)/([^/]+)/` },
      { path: `${F}$1/[^/]+/`, pathNot: [`${F}$1/$2/`, `${F}$1/[^/]+/index\\.ts$`, TEST] },
    ),
    forbid(
      'outside-by-the-index',
      'So is a noun seen from outside of features/.',
      { path: S, pathNot: F },
      {
        path: `${F}[^/]+/`,
        pathNot: [`${F}[^/]+/index\\.ts$`, `${F}[^/]+/[^/]+/index\\.ts$`, '\\.cases\\.ts$'],
      },
    ),
    ...Object.entries(AREAS).map(([area, above]) =>
      forbid(
        `${area}-imports-down`,
        'An area imports those below it: changes, accounts, zones; then dns, firewall, monitoring side by side.',
        { path: `${F}${area}/`, pathNot: TEST },
        { path: `${F}(${above})/` },
      ),
    ),
    forbid(
      'sql-in-stores',
      'Only *.store.ts and the package storage speak SQL. Others may name its types, to pass a transaction on.',
      { path: S, pathNot: ['\\.store\\.ts$', TEST, `${S}(main|testing)/`] },
      {
        path: [
          npm('kysely', '@photostructure/sqlite', 'pg', 'pg-protocol'),
          '^(node:)?sqlite$',
          '^packages/storage/src/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'http-at-the-edge',
      'Only http/, main/ and *.routes.ts know HTTP.',
      { path: S, pathNot: ['\\.routes\\.ts$', TEST, `${S}(http|main|testing)/`] },
      { path: [npm('@fastify', 'fastify'), `${S}http/`] },
    ),
    forbid(
      'edge-skips-stores',
      'Routes and wire mappers know their service and rules, never a store. They may name its types.',
      { path: '\\.(routes|wire)\\.ts$' },
      { path: '\\.store\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'stores-look-down',
      'A store knows rows and rules, not who calls it.',
      { path: '\\.store\\.ts$' },
      { path: '\\.(service|routes|wire)\\.ts$' },
    ),
    forbid(
      'rules-are-pure',
      'Rules and variants take values and return values.',
      { path: ['\\.rules\\.ts$', `${F}[^/]+/[^/]+/types/`], pathNot: TEST },
      { path: ['\\.(store|service|routes|wire)\\.ts$', '^packages/storage/', `${S}http/`, ACTIVE] },
    ),
    forbid(
      'storage-imports-platform',
      'The database knows its rows, not what they mean.',
      { path: '^packages/storage/src/' },
      { path: '^packages/', pathNot: '^packages/(storage|platform|dns|cooperate)/' },
    ),
    forbid(
      'storage-known-libraries',
      'One compiler of queries, one database.',
      { path: '^packages/storage/src/', pathNot: TEST },
      { dependencyTypes: NPM, pathNot: npm('kysely', '@photostructure/sqlite', 'pg', 'pg-protocol') },
    ),
    forbid(
      'features-do-not-listen',
      'Publication, transfers, scans, the collector, script fetching, the resolver and jobs use features; no feature uses them.',
      { path: F, pathNot: [TEST, ACTIVE] },
      { path: [ACTIVE, '^packages/(nameserver|resolver)/'] },
    ),
    forbid(
      'config-is-a-leaf',
      'It reads the environment, and knows of other packages only what their settings need.',
      { path: '^packages/config/src/', pathNot: TEST },
      { path: '^packages/', pathNot: '^packages/(config|platform|dns|alerts|certificates)/' },
    ),
    forbid(
      'platform-is-a-leaf',
      'The platform imports names and chunks, and no library.',
      { path: '^packages/platform/src/', pathNot: TEST },
      { path: '^packages/', pathNot: '^packages/(platform|dns|cooperate)/' },
    ),
    forbid(
      'clients-use-the-wire',
      'Dashboard, acceptance tests and benchmarks reach the server over HTTP or DNS only.',
      { path: '^(packages/dashboard|acceptance|bench)/' },
      { path: '^packages/server/' },
    ),
    forbid(
      'wire-shapes-at-the-edge',
      'Wire types stop at *.wire.ts. (Token rules check names against the catalogue of permission groups.)',
      {
        path: S,
        pathNot: [
          `${F}accounts/tokens/tokens\\.rules\\.ts$`,
          '\\.(wire|routes)\\.ts$',
          TEST,
          `${S}http/`,
          TESTING,
          `${S}main/`,
        ],
      },
      { path: '^packages/contract/' },
    ),
    forbid(
      'one-composition-root',
      'Nobody imports main/.',
      { pathNot: [`${S}main/`, TESTING, TEST] },
      { path: `${S}main/` },
    ),
    forbid(
      'no-tests-in-production',
      'Test code stays out of the program.',
      { pathNot: [TEST, '/testing/', '^(scripts|bench|acceptance)/'] },
      { path: [TEST, `^packages/[^/]+/src/testing/`] },
    ),
    forbid(
      'declared-only',
      'Import only what package.json lists, and only what exists.',
      { path: '^(packages|acceptance|bench)/' },
      // A workspace package resolves to its door outside node_modules, which the tool files under 'undetermined'.
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        pathNot: '^packages/[^/]+/src/index\\.ts$',
      },
    ),
    forbid(
      'no-orphans',
      'Dead file?',
      {
        orphan: true,
        pathNot: [
          TEST,
          '\\.d\\.ts$',
          `${S}main/`,
          '^packages/[^/]+/src/index\\.ts$',
          '^(acceptance|bench)/',
          '/bin/',
        ],
      },
      {},
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    combinedDependencies: true,
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
  },
}
