// Actions of rules in groups: the chart of events counts them, and marks show them.
export const GROUPS = ['blocked', 'challenged', 'logged', 'other'] as const
export type EventGroup = (typeof GROUPS)[number]

const GROUP_OF: Readonly<Record<string, EventGroup>> = {
  block: 'blocked',
  force_connection_close: 'blocked',
  challenge: 'challenged',
  js_challenge: 'challenged',
  managed_challenge: 'challenged',
  log: 'logged',
}

export const groupOf = (action: string): EventGroup =>
  Object.hasOwn(GROUP_OF, action) ? (GROUP_OF[action] ?? 'other') : 'other' // redirects, skips
