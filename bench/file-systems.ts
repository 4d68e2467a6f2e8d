// Small file systems in memory or in a file, for disks that are full or do not answer. Mounting needs root.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

export interface Mounted {
  readonly path: string
  readonly unmount: () => void
}

export interface Freezable extends Mounted {
  /** Writers wait from now on, as for a disk that has stopped. */
  readonly freeze: () => void
  readonly thaw: () => void
}

export function mayMount(): boolean {
  return process.getuid?.() === 0
}

/** @param size as mount takes it, like 1m. */
export function mountInMemory(path: string, size: string): Mounted {
  mkdirSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path])
  return { path, unmount: () => execFileSync('umount', [path]) }
}

/** An ext4 in the file `path`.image, which takes as much space as is used of it. @param size as truncate takes it. */
export function mountFreezable(path: string, size: string): Freezable {
  const image = `${path}.image`
  mkdirSync(path)
  execFileSync('truncate', ['--size', size, image])
  execFileSync('mkfs.ext4', ['-q', image])
  execFileSync('mount', ['-o', 'loop', image, path])
  return {
    path,
    unmount: () => execFileSync('umount', [path]),
    freeze: () => execFileSync('fsfreeze', ['--freeze', path]),
    thaw: () => execFileSync('fsfreeze', ['--unfreeze', path]),
  }
}
