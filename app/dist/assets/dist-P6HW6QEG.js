import{a,b,c,d,e,f}from"./chunk-MP5R4NQE.js";export{a as QrCodeDataType,b as encode,d as renderANSI,f as renderSVG,c as renderUnicode,e as renderUnicodeCompact};
