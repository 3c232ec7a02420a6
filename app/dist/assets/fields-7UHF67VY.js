import{q as a}from"./chunk-I57N2UO3.js";import"./chunk-LLEDCPMP.js";import"./chunk-VKHNHCNM.js";import"./chunk-NA6G5AZS.js";export{a as default};
