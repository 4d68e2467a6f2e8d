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
/** Written or read at once. */
const BUFFER_OCTETS = 2 ** 20

/** The file is not as it was written. */
export class SnapshotDamagedError extends Error {
  override readonly name = 'SnapshotDamagedError'
}

export type Frame = { readonly json: unknown } | { readonly octets: Uint8Array }

/** Writes frames; a promise only if the next frame must wait: there may be millions. */
export interface SnapshotWriter {
  json(value: unknown): Promise<void> | void
  octets(octets: Uint8Array): Promise<void> | void
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
  const buffer = Buffer.allocUnsafeSlow(BUFFER_OCTETS)
  let end = 0
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

  function frame(kind: number, octets: Uint8Array): Promise<void> | void {
    const { length } = octets
    const size = HEAD.OCTETS + length
    if (size > buffer.length) return writeAlone(kind, octets)
    if (end + size > buffer.length) return flush().then(() => frame(kind, octets))
    writeHead(buffer, end, kind, octets)
    buffer.set(octets, end + HEAD.OCTETS)
    end += size
  }

  async function writeAlone(kind: number, octets: Uint8Array): Promise<void> {
    await flush()
    writeHead(buffer, 0, kind, octets)
    end = HEAD.OCTETS
    await flush()
    await writeAll(file, octets)
  }

  async function flush(): Promise<void> {
    await writeAll(file, buffer.subarray(0, end))
    end = 0
  }

  async function close(): Promise<void> {
    isOpen = false
    await file.close()
  }
}

function writeHead(buffer: Buffer, at: number, kind: number, octets: Uint8Array): void {
  buffer.writeUInt32LE(octets.length, at + HEAD.LENGTH)
  buffer.writeUInt8(kind, at + HEAD.KIND)
  buffer.writeUInt32LE(checksumOf(octets.length, kind, octets), at + HEAD.CHECKSUM)
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
  /** What was read ahead is between the two positions. */
  #octets = Buffer.alloc(BUFFER_OCTETS)
  #from = 0
  #to = 0
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
    const head = this.#take(HEAD.OCTETS)
    const length = head.readUInt32LE(HEAD.LENGTH)
    const kind = head.readUInt8(HEAD.KIND)
    const checksum = head.readUInt32LE(HEAD.CHECKSUM)
    if (length > MAX_FRAME_OCTETS) throw new SnapshotDamagedError(`a frame of ${length} octets`)
    const octets = this.#take(length)
    if (checksumOf(length, kind, octets) !== checksum)
      throw new SnapshotDamagedError('a frame does not match its checksum')
    if (kind === KIND.OCTETS) return { octets }
    if (kind === KIND.JSON) {
      const json: unknown = JSON.parse(octets.toString())
      return { json }
    }
    this.#isEnded = true
    return undefined
  }

  /** The next octets, until more are taken. */
  #take(length: number): Buffer {
    if (this.#to - this.#from < length) this.#fill(length)
    const octets = this.#octets.subarray(this.#from, this.#from + length)
    this.#from += length
    return octets
  }

  /** Reads ahead as far as there is room, at least `length` octets. */
  #fill(length: number): void {
    const rest = this.#octets.subarray(this.#from, this.#to)
    if (length > this.#octets.length) this.#octets = Buffer.alloc(length)
    this.#octets.set(rest)
    this.#from = 0
    this.#to = rest.length
    while (this.#to < length) {
      const octets = readSync(this.#file, this.#octets, this.#to, this.#octets.length - this.#to, null)
      if (octets === 0) throw new SnapshotDamagedError('the file ends too early')
      this.#to += octets
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** Only used within one call. */
const CHECKED_HEAD = Buffer.alloc(5)

function checksumOf(length: number, kind: number, octets: Uint8Array): number {
  const head = CHECKED_HEAD
  head.writeUInt32LE(length, 0)
  head.writeUInt8(kind, 4)
  return crc32(octets, crc32(head))
}
