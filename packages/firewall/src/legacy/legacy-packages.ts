// The packages and groups of the legacy managed rules. IDs are the published ones; groups without one have our own.

export interface LegacyPackage {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly detectionMode: 'anomaly' | 'traditional'
}

export interface LegacyGroup {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly packageId: string
}

export const PACKAGE_IDS = {
  cloudflare: '1e334934fd7ae32ad705667f8c1057aa',
  owasp: 'c504870194831cd12c3fc0284f294abb',
  user: '059f5a550fffae09cbb4072edf101bd2',
} as const

/** Rules that are evaluated even if the zone setting is off, unless they are turned off themselves. */
export const LEGACY_ALWAYS_ON: ReadonlySet<string> = new Set(['WP0025B', '100043A', '100030'])

export const LEGACY_PACKAGES: readonly LegacyPackage[] = [
  {
    id: PACKAGE_IDS.cloudflare,
    name: 'CloudFlare',
    description: 'Rules against attacks on known applications and frameworks.',
    detectionMode: 'traditional',
  },
  {
    id: PACKAGE_IDS.owasp,
    name: 'OWASP ModSecurity Core Rule Set',
    description: 'Signs of attack in any application. Each match adds to the score of the request.',
    detectionMode: 'anomaly',
  },
  { id: PACKAGE_IDS.user, name: 'USER', description: null, detectionMode: 'traditional' },
]

export const OWASP_GROUP_IDS = {
  badRobots: '07d700cf30fda7548be94ff01087d0c4',
  commonExceptions: '6293bbf04711b8511fc68dfd85d254b3',
  genericAttacks: '5461c3844f6b5597986ae41d052a7cbd',
  httpPolicy: '9ab3180a92fde4bfb370a6e0a33842d2',
  protocolAnomalies: '89f0f131c955630147a5e8b6b13f5ca8',
  protocolViolations: 'bcdccfe389a27a990711d45d4bc67e24',
  requestLimits: 'eac6910f74e3b80153bb52ac2fb82cc8',
  slrEtJoomlaAttacks: '5d0c8f3e7a9b41e6b2c4d1f08a6e3b97',
  slrEtLfiAttacks: '9643591b65fc5d12056969519de4cb7b',
  slrEtPhpbbAttacks: '2f7b90d46c1e4a83957d0be3c8f2a615',
  slrEtRfiAttacks: '6035463b92082256c0c4cf5ce5028a98',
  slrEtSqliAttacks: '40545574c88d71badb13d54240652ad6',
  slrEtWordpressAttacks: '8a3e6b1f40d94c57a2f9c7e51db03864',
  slrEtXssAttacks: 'c013ec3948431586f65b3d2a1a15c037',
  sqlInjectionAttacks: 'a0608e0c654339c108ca9715a7b1fb2c',
  tightSecurity: '3d8fb0c18b5a6ba7682c80e94c7937b2',
  trojans: '5664cc2f83dd55b71929c062921078aa',
  uriSqlInjectionAttacks: 'a7b84f7c2c7fc5ef46ff02095e6daaec',
  uriXssAttacks: 'cfda825dfda411ea218cb70e6c88e82e',
  xssAttacks: 'd508327aee37c147e03873f79288bb1d',
} as const

export const CLOUDFLARE_GROUP_IDS = {
  drupal: '8df6c9aaddcbdf0eceb047bc50873697',
  flash: '3b9e1d75c80f4a26b6d2e47f19a5c083',
  joomla: '71c4a9e20b6f4d38a5e8f3d06c92b714',
  magento: 'e46f02b8d91c4573ba0e7d35f1c86a29',
  miscellaneous: 'da9d75b083345c63f48e6fde5f617a8b',
  php: '0c85d7f3a61e4b92b7f04e9d28c3516a',
  plone: '95f1e0b37c2d4a68a9c6b83d4f70e215',
  specials: 'f90712123fb02287348dd34c0a282bb9',
  whmcs: 'b27d6c9f058e41f3a1d79e4c60b5f832',
  wordpress: '48e1a7c60f9d4b25b8a3f6d27e90c51b',
} as const

/** By the keys of the IDs, whose order is that of the names. */
type GroupRows<K extends string> = Readonly<Record<K, readonly [name: string, description: string]>>

const OWASP_GROUPS: GroupRows<keyof typeof OWASP_GROUP_IDS> = {
  badRobots: ['OWASP Bad Robots', 'Scanners, exploit tools and harvesters.'],
  commonExceptions: ['OWASP Common Exceptions', 'Claims that outside clients must not make to be let pass.'],
  genericAttacks: ['OWASP Generic Attacks', 'Command, code, template and object injection.'],
  httpPolicy: ['OWASP HTTP Policy', 'Methods, versions, types and files that sites do not offer.'],
  protocolAnomalies: ['OWASP Protocol Anomalies', 'Headers that ordinary clients send, or do not.'],
  protocolViolations: ['OWASP Protocol Violations', 'Requests that are not valid HTTP or encode badly.'],
  requestLimits: ['OWASP Request Limits', 'More arguments, or longer ones, than applications expect.'],
  slrEtJoomlaAttacks: ['OWASP Slr Et Joomla Attacks', 'Known weak parameters of Joomla extensions.'],
  slrEtLfiAttacks: ['OWASP Slr Et Lfi Attacks', 'Known parameters that include local files.'],
  slrEtPhpbbAttacks: ['OWASP Slr Et PhpBB Attacks', 'Known weak parameters of phpBB.'],
  slrEtRfiAttacks: ['OWASP Slr Et RFI Attacks', 'Known parameters that include remote files.'],
  slrEtSqliAttacks: ['OWASP Slr Et SQLi Attacks', 'SQL injection in parameters known to be weak.'],
  slrEtWordpressAttacks: ['OWASP Slr Et WordPress Attacks', 'Known weak parameters of WordPress plugins.'],
  slrEtXssAttacks: ['OWASP Slr Et XSS Attacks', 'Script injection in parameters known to be weak.'],
  sqlInjectionAttacks: ['OWASP SQL Injection Attacks', 'Signs of SQL injection anywhere in the request.'],
  tightSecurity: ['OWASP Tight Security', 'Steps out of a directory, however written.'],
  trojans: ['OWASP Trojans', 'Use and upload of web shells.'],
  uriSqlInjectionAttacks: ['OWASP Uri SQL Injection Attacks', 'Signs of SQL injection in the URI.'],
  uriXssAttacks: ['OWASP Uri XSS Attacks', 'Signs of script injection in the URI.'],
  xssAttacks: ['OWASP XSS Attacks', 'Signs of script injection anywhere in the request.'],
}

const CLOUDFLARE_GROUPS: GroupRows<keyof typeof CLOUDFLARE_GROUP_IDS> = {
  drupal: ['Cloudflare Drupal', 'Attacks on Drupal.'],
  flash: ['Cloudflare Flash', 'Attacks by way of Flash files.'],
  joomla: ['Cloudflare Joomla', 'Attacks on Joomla.'],
  magento: ['Cloudflare Magento', 'Attacks on Magento.'],
  miscellaneous: ['Cloudflare Miscellaneous', 'Rules that belong to no other group.'],
  php: ['Cloudflare Php', 'Attacks on PHP and its frameworks.'],
  plone: ['Cloudflare Plone', 'Attacks on Plone and Zope.'],
  specials: ['Cloudflare Specials', 'Attacks on any site. Recommended to be on.'],
  whmcs: ['Cloudflare Whmcs', 'Attacks on WHMCS.'],
  wordpress: ['Cloudflare WordPress', 'Attacks on WordPress and its plugins.'],
}

const groupsOf = <K extends string>(
  packageId: string,
  ids: Readonly<Record<K, string>>,
  rows: GroupRows<K>,
): readonly LegacyGroup[] =>
  Object.entries<string>(ids).map(([key, id]) => {
    const [name, description] = rows[key as K] // a key of the IDs
    return { id, name, description, packageId }
  })

/** Ordered by name within each package. The package USER has none. */
export const LEGACY_GROUPS: readonly LegacyGroup[] = [
  ...groupsOf(PACKAGE_IDS.cloudflare, CLOUDFLARE_GROUP_IDS, CLOUDFLARE_GROUPS),
  ...groupsOf(PACKAGE_IDS.owasp, OWASP_GROUP_IDS, OWASP_GROUPS),
]
