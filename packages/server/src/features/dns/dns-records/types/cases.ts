// The case table of a record type. types.test.ts sends every row to the API.

/** Named cases of one record type as the API accepts it; they serve as its specification. */
export interface ApiCases {
  /** Default name of the record. */
  readonly name: string
  /** Members of the draft, part of the reply, and what DNS serves, in presentation format. */
  readonly valid: readonly (readonly [name: string, draft: object, shown: object, served: string])[]
  /** Members of the draft, the codes of all errors in order, and their pointers. */
  readonly invalid: readonly (readonly [
    name: string,
    draft: object,
    codes: readonly number[],
    pointers: readonly (string | null)[],
  ])[]
}
