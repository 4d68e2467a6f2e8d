import { describe, expect, it } from 'vitest'
import { actionName, actionTitle } from './actions.ts'

describe('names of actions', () => {
  it.each([
    ['a word', 'block', 'block', 'Block'],
    ['a name with a capital of its own', 'js_challenge', 'JavaScript challenge', 'JavaScript challenge'],
    ['an action without a name', 'set_config', 'set_config', 'set_config'],
  ])('%s', (_, action, name, title) => {
    expect([actionName(action), actionTitle(action)]).toEqual([name, title])
  })
})
