"""Bets and limits: bets are called for, placed, withdrawn and closed within minimum, maximum and Differential. What
lies there all the same, noticed or not, is found here, and what stands of it.
"""
