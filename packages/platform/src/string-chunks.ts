// Long strings that are built while they are sent.
import { chunksOf } from '@zonereeve/cooperate'

/** Each chunk is sent after the previous one was written; other work runs in between. */
export type StringChunks = Iterable<string>

const STRINGS_IN_CHUNK = 50

/** Joins many strings into chunks of a response. */
export function* joinInChunks(strings: Iterable<string>): Generator<string> {
  for (const chunk of chunksOf(strings, STRINGS_IN_CHUNK)) yield chunk.join('')
}
