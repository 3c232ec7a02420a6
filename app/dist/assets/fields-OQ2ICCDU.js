import{g as a}from"./chunk-V45GKF3L.js";import"./chunk-3V3U2RHA.js";import"./chunk-IP6YRFL2.js";import"./chunk-MU4KAUHT.js";export{a as default};
