// What a record type's case table holds. types.test.ts sends every row to the API.

/** Named cases of one record type as the API takes it, read as its specification. */
export interface ApiCases {
  /** Name of the record where a case does not say one. */
  readonly name: string
  /** Members of the draft, part of the reply, and what DNS serves, as zone-file text. */
  readonly valid: readonly (readonly [name: string, draft: object, shown: object, served: string])[]
  /** Members of the draft, the codes of all errors in order, and their pointers. */
  readonly invalid: readonly (readonly [
    name: string,
    draft: object,
    codes: readonly number[],
    pointers: readonly (string | null)[],
  ])[]
}
