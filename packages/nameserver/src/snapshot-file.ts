// A file of frames: JSON or octets, each with its length and checksum, and a last one that says that all are there. It
// is written aside and gets its name when it is complete on the disk, so that a file with a name is a whole one, unless
// the disk has changed it.
import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

/** Octets before a frame: length, checksum of the length, the kind and the octets, and the kind. */
const HEAD = { LENGTH: 0, CHECKSUM: 4, KIND: 8, OCTETS: 9 } as const
const KIND = { JSON: 1, OCTETS: 2, END: 3 } as const
/** More is not written: the length was changed. */
const MAX_FRAME_OCTETS = 2 ** 30
/** Written at once. */
const BUFFER_OCTETS = 2 ** 20

/** The file is not as it was written. */
export class SnapshotDamagedError extends Error {
  override readonly name = 'SnapshotDamagedError'
}

export type Frame = { readonly json: unknown } | { readonly octets: Uint8Array }

export interface SnapshotWriter {
  json(value: unknown): Promise<void>
  octets(octets: Uint8Array): Promise<void>
  /** Flushes the file to the disk and gives it its name. */
  finish(): Promise<void>
  /** Removes the file, unless it is finished. */
  abandon(): Promise<void>
}

/** Ends the name of a file that is being written. */
export const UNFINISHED = '.unfinished'

/** Creates a file that only its owner can read. @throws errors of the system, as all functions of the writer */
export async function writeSnapshotFile(path: string): Promise<SnapshotWriter> {
  const unfinished = `${path}${UNFINISHED}`
  const file = await open(unfinished, 'w', 0o600)
  let buffered: Uint8Array[] = []
  let bufferedOctets = 0
  let isOpen = true
  return {
    json: (value) => frame(KIND.JSON, Buffer.from(JSON.stringify(value))),
    octets: (octets) => frame(KIND.OCTETS, octets),
    async finish() {
      await frame(KIND.END, new Uint8Array(0))
      await flush()
      await file.sync()
      await close()
      await rename(unfinished, path)
      await syncFolder(dirname(path))
    },
    async abandon() {
      if (!isOpen) return
      await close()
      await rm(unfinished, { force: true })
    },
  }

  async function frame(kind: number, octets: Uint8Array): Promise<void> {
    const head = Buffer.alloc(HEAD.OCTETS)
    head.writeUInt32LE(octets.length, HEAD.LENGTH)
    head.writeUInt8(kind, HEAD.KIND)
    head.writeUInt32LE(checksumOf(octets.length, kind, octets), HEAD.CHECKSUM)
    buffered.push(head, octets)
    bufferedOctets += head.length + octets.length
    if (bufferedOctets >= BUFFER_OCTETS) await flush()
  }

  async function flush(): Promise<void> {
    const all = Buffer.concat(buffered)
    buffered = []
    bufferedOctets = 0
    await writeAll(file, all)
  }

  async function close(): Promise<void> {
    isOpen = false
    await file.close()
  }
}

async function writeAll(file: FileHandle, octets: Uint8Array): Promise<void> {
  for (let at = 0; at < octets.length;) at += (await file.write(octets, at)).bytesWritten
}

/** A renamed file keeps its name after a power failure once its folder is on the disk. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Reads frames, synchronously: at the start nothing else is to be done. */
export class SnapshotReader {
  readonly #file: number
  readonly #head = Buffer.alloc(HEAD.OCTETS)
  #octets = Buffer.alloc(BUFFER_OCTETS)
  #isEnded = false

  /** @throws errors of the system */
  constructor(path: string) {
    this.#file = openSync(path, 'r')
  }

  /**
   * The next frame, whose octets are valid until the one after it is read; undefined after the last one.
   *
   * @throws SnapshotDamagedError; after it nothing more can be read
   */
  next(): Frame | undefined {
    if (this.#isEnded) return undefined
    this.#read(this.#head, HEAD.OCTETS)
    const length = this.#head.readUInt32LE(HEAD.LENGTH)
    const kind = this.#head.readUInt8(HEAD.KIND)
    if (length > MAX_FRAME_OCTETS) throw new SnapshotDamagedError(`a frame of ${length} octets`)
    if (length > this.#octets.length) this.#octets = Buffer.alloc(length)
    const octets = this.#octets.subarray(0, length)
    this.#read(octets, length)
    if (checksumOf(length, kind, octets) !== this.#head.readUInt32LE(HEAD.CHECKSUM))
      throw new SnapshotDamagedError('a frame does not match its checksum')
    if (kind === KIND.OCTETS) return { octets }
    if (kind === KIND.JSON) {
      const json: unknown = JSON.parse(octets.toString())
      return { json }
    }
    this.#isEnded = true
    return undefined
  }

  #read(into: Uint8Array, length: number): void {
    for (let at = 0; at < length;) {
      const octets = readSync(this.#file, into, at, length - at, null)
      if (octets === 0) throw new SnapshotDamagedError('the file ends too early')
      at += octets
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

function checksumOf(length: number, kind: number, octets: Uint8Array): number {
  const head = Buffer.alloc(5)
  head.writeUInt32LE(length, 0)
  head.writeUInt8(kind, 4)
  return crc32(octets, crc32(head))
}
