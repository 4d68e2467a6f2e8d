// Shapes of JSON values. The parser rejects invalid JSON; shapes reject valid JSON of another form than the
// column holds, which would fail elsewhere or lead to wrong decisions.
export type Shape = (value: unknown) => boolean

export const isText: Shape = (value) => typeof value === 'string'
export const isNumber: Shape = (value) => typeof value === 'number'
export const isBoolean: Shape = (value) => typeof value === 'boolean'
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value)
export const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value)
export const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape)
export const recordOf =
  (shape: Shape): Shape =>
  (value) =>
    isObject(value) && Object.values(value).every(shape)
export const objectWith =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, shape]) => shape(value[name]))
export const among =
  (...choices: readonly unknown[]): Shape =>
  (value) =>
    choices.includes(value)
export const isAnything: Shape = () => true
export const STRINGS = listOf(isText)
