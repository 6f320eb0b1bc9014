// Names that Windows keeps for itself.

/** True for a name that Windows takes for a device, in any case and with any ending: `con`, `NUL.txt`, `lpt1`. */
export function isReservedName(name: string): boolean {
  return /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i.test(name);
}
