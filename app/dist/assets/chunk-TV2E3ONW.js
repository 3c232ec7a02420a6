import{E as i,ca as l,o as e}from"./chunk-NTTR4J6W.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
