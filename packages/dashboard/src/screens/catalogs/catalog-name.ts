// Names of catalog zones: the API's end with a dot, those in URLs and on the page do not.
export const bareName = (name: string): string => (name.length > 1 ? name.replace(/\.$/, '') : name)
