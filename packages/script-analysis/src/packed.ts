// The well-known packer that replaces words by numbers in base 62: `eval(function(p,a,c,k,e,d){…}('…',62,9,'a|b'.split('|'),0,{}))`.

const CALL =
  /\}\s*\(\s*(['"])((?:\\.|(?!\1)[^\\])*)\1\s*,\s*(\d{1,5})\s*,\s*(\d{1,5})\s*,\s*(['"])((?:\\.|(?!\5)[^\\])*)\5\s*\.\s*split\s*\(\s*['"]\|['"]\s*\)/u
const HEAD = /function\s*\(\s*p\s*,\s*a\s*,\s*c\s*,\s*k\s*,\s*e\s*,/u
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The code in a packed script, or null if it is not packed. */
export function unpack(text: string): string | null {
  const scriptClass = HEAD.exec(text)
  if (scriptClass === null) return null
  const found = CALL.exec(text.slice(scriptClass.index))
  const payload = found?.[2]
  const words = found?.[6]?.split('|')
  const base = Number(found?.[3])
  if (payload === undefined || words === undefined || base < 2 || base > 62) return null
  return payload
    .replaceAll(/\b\w+\b/gu, (word) => {
      const index = indexOf(word, base)
      const replacement = index === null ? undefined : words[index]
      return replacement === undefined || replacement === '' ? word : replacement
    })
    .replaceAll(/\\(['"\\])/gu, '$1')
}

function indexOf(word: string, base: number): number | null {
  let index = 0
  if (word.length > 5) return null
  for (const digit of word) {
    const value = DIGITS.indexOf(digit)
    if (value === -1 || value >= base) return null
    index = index * base + value
  }
  return index
}
