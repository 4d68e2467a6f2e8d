// A thread that answers DNS beside the main thread.
import { createHash } from 'node:crypto'
import { runAnsweringThread } from '@zonereeve/nameserver'
import { openKeys, type SealedKeys } from '@zonereeve/platform'

runAnsweringThread({
  openSigning: (sealed) => ({
    ...openKeys(sealed as SealedKeys), // as zoneKeysOf() has made it
    sha1: (octets) => createHash('sha1').update(octets).digest(),
    now: Date.now,
    random: Math.random,
  }),
})
