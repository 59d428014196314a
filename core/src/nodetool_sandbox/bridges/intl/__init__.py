"""Intl: numbers, dates, lists, relative times and plurals in the words of a locale, by Babel's copy of CLDR.

`format` and `toLocaleString` of the guest are made of the same. A formatter is a frozen value made of a locale and
checked options; everything it gives is a list of parts, and a text is the parts joined.
"""
