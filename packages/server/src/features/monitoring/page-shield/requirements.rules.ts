// What a zone can show for each line of PCI DSS 4.0.1, 6.4.3 and 11.6.1: data, and what is missing.
import type { AuthorizationState } from './authorization-state.rules.ts'

export interface RequirementAnswer {
  readonly requirement: '6.4.3' | '11.6.1'
  /** What it asks for, in short. */
  readonly description: string
  readonly data: readonly string[]
  /** Empty if the data answers it. */
  readonly missing: readonly string[]
}

/** A script that browsers load. */
export interface ScriptFacts {
  readonly authorization: AuthorizationState | undefined
  readonly fetchedAt: string | null
}

export interface PageFacts {
  readonly url: string
  readonly intervalMinutes: number
  readonly failures: number
  /** When it was last like its newest snapshot; null = never. */
  readonly seenAt: string | null
  readonly missingPolicies: number
}

export interface AlertFacts {
  readonly kind: 'webhook' | 'e-mail alert'
  readonly isEnabled: boolean
  readonly failures: number
  /** null = all. */
  readonly kinds: readonly string[] | null
}

export interface MonitoringFacts {
  readonly isEnabled: boolean
  readonly nowMillis: number
  readonly scripts: readonly ScriptFacts[]
  /** Contents that browsers reported to have run. */
  readonly contentsRun: number
  readonly pages: readonly PageFacts[]
  readonly alerts: readonly AlertFacts[]
}

const WEEK_MILLIS = 7 * 86_400_000
/** An alert about changes has at least these. */
const KINDS_OF_CHANGES = ['script.new', 'script.changed', 'script.reported', 'page.headers_changed']

export function requirementAnswers(facts: MonitoringFacts): readonly RequirementAnswer[] {
  return [...scriptAnswers(facts), ...changeAnswers(facts)]
}

function scriptAnswers({ isEnabled, scripts }: MonitoringFacts): RequirementAnswer[] {
  const total = scripts.length
  const having = (...states: readonly (AuthorizationState | undefined)[]): number =>
    scripts.filter(({ authorization }) => states.includes(authorization)).length
  const none = total === 0 ? ['no script was reported by a browser'] : []
  const off = isEnabled ? [] : ['monitoring is off: new scripts are not found']
  const unfetched = scripts.filter(({ fetchedAt }) => fetchedAt === null).length
  const justified = total - having(undefined)
  return [
    {
      requirement: '6.4.3',
      description: 'A method confirms that each script is authorized.',
      data: [`${justified - having('expired')} of ${total} scripts are authorized by a person`],
      missing: [
        ...off,
        ...none,
        ...some(having(undefined), 'without authorization'),
        ...some(having('expired'), 'with an authorization that has expired'),
      ],
    },
    {
      requirement: '6.4.3',
      description: 'A method assures the integrity of each script.',
      data: [`${having('valid')} of ${total} scripts have the content that was authorized`],
      missing: [
        ...none,
        ...some(having('changed', 'bytes_changed'), 'with another content than the authorized one'),
        ...some(having('unfetched'), 'for which browsers ran a content that was never fetched'),
        ...some(having('unverified'), 'whose authorization names no content'),
        ...some(unfetched, 'that could not be fetched yet'),
      ],
    },
    {
      requirement: '6.4.3',
      description: 'An inventory of all scripts has a written justification for each.',
      data: [`the inventory has ${total} scripts, ${justified} with a justification`],
      missing: [...off, ...none, ...some(total - justified, 'without a justification')],
    },
  ]
}

function changeAnswers(facts: MonitoringFacts): RequirementAnswer[] {
  const { isEnabled, nowMillis, scripts, contentsRun, pages, alerts } = facts
  const off = isEnabled ? [] : ['monitoring is off: nothing is checked']
  const isOld = (at: string | null): boolean => at === null || nowMillis - Date.parse(at) > WEEK_MILLIS
  const noPages = pages.length === 0 ? ['no page is watched (…/page_shield/pages)'] : []
  const failing = pages.filter(({ failures }) => failures > 0)
  const drifting = pages.filter(({ missingPolicies }) => missingPolicies > 0)
  const fetched = scripts.filter(({ fetchedAt }) => fetchedAt !== null)
  const working = alerts.filter((alert) => alert.isEnabled && alert.failures === 0)
  const complete = working.filter(
    ({ kinds }) => kinds === null || KINDS_OF_CHANGES.every((kind) => kinds.includes(kind)),
  )
  const interval = Math.max(...pages.map(({ intervalMinutes }) => intervalMinutes))
  return [
    {
      requirement: '11.6.1',
      description: 'Changes to security-impacting HTTP headers are detected.',
      data: pages.map(({ url, seenAt }) => `${url}: ${seenAt === null ? 'not seen yet' : `seen ${seenAt}`}`),
      missing: [
        ...off,
        ...noPages,
        ...failing.map(({ url, failures }) => `${url}: ${failures} failed checks in a row`),
        ...drifting.map(({ url }) => `${url} is sent without a policy that is deployed for it`),
      ],
    },
    {
      requirement: '11.6.1',
      description: 'Changes, additions and deletions of scripts of payment pages are detected.',
      data: [`the contents of ${fetched.length} of ${scripts.length} scripts are compared`],
      missing: [
        ...off,
        ...(scripts.length === 0 ? ['no script was reported by a browser'] : []),
        ...some(scripts.length - fetched.length, 'whose content could not be fetched yet'),
      ],
    },
    {
      requirement: '11.6.1',
      description: 'Personnel is alerted.',
      data: working.map(
        ({ kind, kinds }) => `${kind} for ${kinds === null ? 'all' : kinds.length} kinds of events`,
      ),
      missing: [
        ...(complete.length === 0
          ? [`no working webhook or e-mail alert has all of ${KINDS_OF_CHANGES.join(', ')}`]
          : []),
        ...alerts
          .filter(({ isEnabled: on, failures }) => on && failures > 0)
          .map(({ kind, failures }) => `${kind} that has failed ${failures} times in a row`),
      ],
    },
    {
      requirement: '11.6.1',
      description: 'Headers and pages are evaluated as the browser receives them.',
      data: [
        `contents of scripts that browsers reported to have run: ${contentsRun}`,
        `pages that are fetched as a visitor without cookies gets them: ${pages.length}`,
      ],
      missing: [...noPages, ...(contentsRun === 0 ? ['no browser has reported what it ran'] : [])],
    },
    {
      requirement: '11.6.1',
      description: 'This happens at least once every seven days.',
      data: pages.length === 0 ? [] : [`pages are checked every ${interval} minutes or more often`],
      missing: [
        ...off,
        ...noPages,
        ...pages.filter(({ seenAt }) => isOld(seenAt)).map(({ url }) => `${url} was not seen for seven days`),
        ...some(scripts.filter(({ fetchedAt }) => isOld(fetchedAt)).length, 'not fetched for seven days'),
      ],
    },
  ]
}

const some = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? 'script' : 'scripts'} ${what}`]
