// Update keys between wire and domain form.
import type { UpdateKeyDraft, WireUpdateKey } from '@zonereeve/contract'
import type { UpdateKeyDefinition } from './update-keys.service.ts'
import type { UpdateKey } from './update-keys.store.ts'

const DEFAULT_ALGORITHM = 'hmac-sha256'

export function toKeyDefinition({ name, token_id, algorithm }: UpdateKeyDraft): UpdateKeyDefinition {
  return { name, tokenId: token_id, algorithm: algorithm ?? DEFAULT_ALGORITHM }
}

/** Without its secret. */
export function toWireUpdateKey({ id, name, algorithm, tokenId, createdOn }: PublicUpdateKey): WireUpdateKey {
  return { id, name, algorithm, token_id: tokenId, created_on: createdOn }
}

/** With its secret, for the reply to creation. */
export function toWireNewKey(key: PublicUpdateKey & { readonly secret: string }): WireUpdateKey {
  return { ...toWireUpdateKey(key), secret: key.secret }
}

type PublicUpdateKey = Pick<UpdateKey, 'id' | 'name' | 'algorithm' | 'tokenId' | 'createdOn'>
