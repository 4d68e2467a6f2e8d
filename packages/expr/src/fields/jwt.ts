// Claims of tokens, under the ID of the token configuration that accepted them.
import type { Bytes } from '../bytes.ts'
import { arrayOf, BYTES, BYTES_ARRAY, INT, mapOf, type Type } from '../types.ts'
import { mapValue, type Value } from '../values.ts'
import { type CatalogField, configuredField } from './catalog-field.ts'
import type { JwtFacts, RequestFacts } from './facts.ts'

/** For a claim: a map, the configurations that have it, and all of its values. */
function claimFields(
  claim: string,
  element: Type,
  pick: (token: JwtFacts) => readonly Value[] | undefined,
): readonly CatalogField[] {
  const tokensOf = ({ jwt = [] }: RequestFacts): readonly (readonly [Bytes, readonly Value[]])[] =>
    jwt.flatMap((token) => {
      const values = pick(token)
      return values === undefined ? [] : [[token.configurationId, values] as const]
    })
  const name = `http.request.jwt.claims.${claim}`
  return [
    configuredField(name, mapOf(arrayOf(element)), 'jwt', (facts) => mapValue(tokensOf(facts))),
    configuredField(`${name}.names`, BYTES_ARRAY, 'jwt', (facts) => tokensOf(facts).map(([id]) => id)),
    configuredField(`${name}.values`, arrayOf(element), 'jwt', (facts) =>
      tokensOf(facts).flatMap(([, values]) => values),
    ),
  ]
}

const textClaim = (claim: 'aud' | 'iss' | 'jti' | 'sub') =>
  claimFields(claim, BYTES, ({ strings }) => strings[claim])

const timeClaim = (claim: 'exp' | 'iat' | 'nbf') =>
  claimFields(`${claim}.sec`, INT, ({ times }) => {
    const seconds = times[claim]
    return seconds === undefined ? undefined : [seconds]
  })

export const JWT_FIELDS: readonly CatalogField[] = [
  ...textClaim('aud'),
  ...timeClaim('exp'),
  ...timeClaim('iat'),
  ...textClaim('iss'),
  ...textClaim('jti'),
  ...timeClaim('nbf'),
  ...textClaim('sub'),
]
