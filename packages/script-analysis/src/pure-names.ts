// Names of built-in functions that the interpreter can run itself.

const STRING =
  'charAt charCodeAt codePointAt concat indexOf lastIndexOf includes startsWith endsWith slice substring substr split replace replaceAll toLowerCase toUpperCase trim trimStart trimEnd padStart padEnd repeat match at toString valueOf italics fontcolor link big'
const ARRAY =
  'join reverse push pop shift unshift slice splice concat indexOf includes map forEach filter reduce some every sort at toString entries copyWithin keys values find findIndex findLast flatMap toReversed toSorted fill flat'
const NUMBER = 'toString toFixed valueOf'
const FUNCTION = 'call apply bind toString'
const OBJECT = 'hasOwnProperty toString'
const GLOBALS =
  'String Number Boolean Array Object Math JSON Date RegExp parseInt parseFloat isNaN atob btoa unescape escape decodeURIComponent encodeURIComponent decodeURI encodeURI Symbol Uint8Array TextDecoder Reflect'

const METHODS = {
  string: new Set(STRING.split(' ')),
  array: new Set(ARRAY.split(' ')),
  number: new Set(NUMBER.split(' ')),
  function: new Set(FUNCTION.split(' ')),
  object: new Set(OBJECT.split(' ')),
}

export function isPureMethod(kind: keyof typeof METHODS, name: string): boolean {
  return METHODS[kind].has(name)
}

export const PURE_GLOBALS: ReadonlySet<string> = new Set(GLOBALS.split(' '))
