// Names of what rules do. They are the same in rules, events and traces.
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['block', 'block'],
  ['challenge', 'interactive challenge'],
  ['execute', 'execute a ruleset'],
  ['force_connection_close', 'connection closed'],
  ['js_challenge', 'JavaScript challenge'],
  ['log', 'log'],
  ['managed_challenge', 'managed challenge'],
  ['redirect', 'redirect'],
  ['skip', 'skip'],
])

/** In tables. Actions that have no name here are named as the API names them. */
export const actionName = (action: string): string => ACTIONS.get(action) ?? action

/** At the start of an option or a sentence. */
export function actionTitle(action: string): string {
  const name = ACTIONS.get(action)
  return name === undefined ? action : name.charAt(0).toUpperCase() + name.slice(1)
}
