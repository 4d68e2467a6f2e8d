// Builds the dashboard into the server's dist folder; assets have hashed names, and each has a compressed copy beside it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const outDir = join(root, '../server/dist/dashboard')

/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(html|js|css|svg)$/

const compressed: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  closeBundle() {
    for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!COMPRESSIBLE.test(name)) continue
      const bytes = readFileSync(join(outDir, name))
      writeFileSync(join(outDir, `${name}.br`), brotliCompressSync(bytes))
      writeFileSync(join(outDir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

export default defineConfig({
  root,
  plugins: [react(), compressed],
  build: {
    outDir,
    emptyOutDir: true,
    // The content policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
})
