// One step of the schema. A second database adds its own statements beside `sqlite`.
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sqlite: readonly string[]
}
