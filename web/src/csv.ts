export type Field = string | number | null | undefined;

/// RFC 4180: quoted where needed; numbers with all the digits at hand, null as an empty field. A text that a
/// spreadsheet would run as a formula is quoted with a leading apostrophe.
export function csv(rows: Field[][]): string {
  const field = (value: Field): string => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = /^[=+\-@\t\r]/.test(value) && !Number.isFinite(Number(value)) ? `'${value}` : value;
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}
