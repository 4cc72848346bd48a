// Okabe and Ito's colours, as in src/microslip/report/palette.hpp; lighter ones of the same hues on a dark ground.

const light = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#B8A800"];
const dark = ["#4FA9E2", "#F0813F", "#2FC79D", "#E3A0C6", "#F2BB45", "#93D0F4", "#F0F0F0", "#F0E442"];

export interface Theme {
  dark: boolean;
  ink: string;
  faint: string;
  grid: string;
  ground: string;
}

export const lightTheme: Theme = { dark: false, ink: "#1d2126", faint: "#5d6670", grid: "#e3e6ea", ground: "#ffffff" };
export const darkTheme: Theme = { dark: true, ink: "#e4e7ea", faint: "#9aa4ae", grid: "#333a42", ground: "#1b1f24" };

export function colour(index: number, theme: Theme): string {
  if (index === 8) return theme.dark ? "#9a9a9a" : "#777777";
  return (theme.dark ? dark : light)[index % light.length];
}

export function faded(hex: string, opacity: number): string {
  const part = (at: number) => parseInt(hex.slice(at, at + 2), 16);
  return `rgba(${part(1)},${part(3)},${part(5)},${opacity})`;
}

export const viridis: [number, string][] = [
  "#440154", "#472c7a", "#3b518b", "#2c718e", "#21908d", "#27ad81", "#5cc863", "#aadc32", "#fde725",
].map((hex, i) => [i / 8, hex]);
